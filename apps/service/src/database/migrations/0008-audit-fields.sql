-- The names of the fields of a person that a change changed. Custom fields are one of them.
alter table audit_event add column fields text[] collate "C";
