-- Operators find payments by the keys with which a client submitted them.
create index variable_payment_key on variable_payment (idempotency_key) where idempotency_key is not null;
