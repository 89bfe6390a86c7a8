-- How many requests a client has sent in the minute that began with its first one. Unlogged: a crash forgets it, and
-- counting costs no write to disk. Half of each page stays free, so that counting on needs no new page and no vacuum.
create unlogged table rate_limit (
  client_id text collate "C" primary key,
  window_start timestamptz not null,
  requests integer not null
) with (fillfactor = 50);

-- One index for the last change of any system: lists of changes know from it how many persons they will find.
create index person_view_changed on person_view (greatest(master_changed_at, payroll_changed_at, time_changed_at));
drop index person_view_master_changed, person_view_payroll_changed, person_view_time_changed;

-- A list of time bookings goes from person to person and asks each for the days that changed. What is unsettled is
-- looked for alone.
drop index time_day_changed;
create index time_day_person_changed on time_day (person_id, changed_at);
create index time_day_unsettled on time_day (changed_at) where changed_at = 'infinity';
