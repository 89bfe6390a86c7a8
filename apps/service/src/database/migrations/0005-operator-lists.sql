-- Operators list payments of a state, and of a billing period or a client within it, in the order of their ids. Without
-- ids, an index is a tenth as large: payments are counted by it.
create index variable_payment_period on variable_payment (state, billing_period, id);
create index variable_payment_count on variable_payment (state, billing_period);
create index variable_payment_client on variable_payment (submitted_by, state, id) include (billing_period);
create index variable_payment_submitted_at on variable_payment (submitted_at) include (id);
