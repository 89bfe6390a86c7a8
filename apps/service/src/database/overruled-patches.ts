import type { Queries } from './database.ts';

/**
 * Drops the patches of persons that the feed has overruled: it brought the patched property with other content than it
 * last had, or the person is gone. A property that the feed no longer brings leaves its patch in place.
 */
export async function dropOverruledPatches(transaction: Queries, personIds: readonly string[]): Promise<void> {
  await transaction.query(
    `delete from person_patch as patch where person_id = any($1::text[]) and (
      exists (
        select from feed_property as feed
        where feed.person_id = patch.person_id and feed.property = patch.property
          and feed.content is distinct from patch.feed_content
      )
      or not exists (select from source_document as master where master.person_id = patch.person_id and master.kind = 'person')
    )`,
    [personIds],
  );
}
