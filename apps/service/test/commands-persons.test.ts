import { expect, test } from 'vitest';
import { run } from './command-line.ts';
import { anyDriver } from './drivers.ts';
import { load, startService } from './service.ts';

test.each(anyDriver)('a person is exported, erased and readmitted from the command line on %s', async (driver) => {
  const service = await startService(driver);
  const env = { HR_DATABASE: service.databaseUrl };
  await load(service.database, [
    { kind: 'person', id: 'p 1', lastName: 'Roth' },
    { kind: 'keyNumber', personId: 'p 1', keyNumber: '77' },
  ]);

  const exported = await run(['export', 'p 1'], env);
  expect(exported).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(exported.stdout)).toMatchObject({
    personId: 'p 1',
    sources: [{}, { document: { lastName: 'Roth' } }],
  });

  expect(await run(['erase', 'p 1'], env)).toEqual({
    code: 2,
    stdout: '',
    stderr: 'This would erase for good: 1 view, 2 sources. Add --yes to do it.\n',
  });
  expect(await run(['erase', 'p 1', '--yes'], env)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^Person p 1 is erased since \d{4}-.*\. Erased now: 1 view, 2 sources\.\n$/,
    ) as string,
  });
  expect(await run(['erase', 'nobody', '--yes'], env)).toMatchObject({
    code: 1,
    stderr: 'There is no person with this id.\n',
  });
  expect(await run(['readmit', 'p 1'], env)).toMatchObject({
    code: 0,
    stdout: 'Person p 1 may come again with the next import.\n',
  });
  await service.stop();
});
