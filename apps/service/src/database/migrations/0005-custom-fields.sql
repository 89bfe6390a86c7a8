-- Which custom fields of persons a client sees, by name. What is not named here it does not see.
create table client_custom_field (
  client_id text not null references api_client,
  name text collate "C" not null,
  primary key (client_id, name)
);

-- A person's custom fields in the feed's order: the name of each, and its JSON text. They are no longer part of `master`.
alter table person_view
  add column custom_names text[] not null default '{}',
  add column custom_json text[] not null default '{}';

-- Inside a JSON string its quotes would be escaped, so the member is found once.
update person_view set master = replace(master, ',"customFields":[]', '');

update person_view set
  custom_names = array(
    select field ->> 'name' from json_array_elements(document::json -> 'customFields') with ordinality as custom (field, place)
    order by place),
  custom_json = array(
    select field::text from json_array_elements(document::json -> 'customFields') with ordinality as custom (field, place)
    order by place)
from source_document as master
where master.person_id = person_view.person_id and master.kind = 'person' and document::json -> 'customFields' is not null;
