//! The budget, the ledger, the rest and the kept answers, with a model that the test lends.
