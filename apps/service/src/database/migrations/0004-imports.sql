-- When an operator cancelled the import. The process that runs it looks between its batches.
alter table import_run add cancelled_at timestamptz;
