# Names with joined emoji on a terminal that does not join them: each order stays on its row.
node screen.mjs "${SPARRING#* }" $PORT
