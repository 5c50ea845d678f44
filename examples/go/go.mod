module pointofsale

go 1.19
