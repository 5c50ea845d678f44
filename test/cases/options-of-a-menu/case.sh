# Options in one line of text, with a price where no price is read, and a comma where a semicolon is.
item() { printf 'menu:\n  - { externalCode: A, name: Calzone, price: 42.5, options: "%s" }\n' "$1" > s.yaml
  timeout 20 $SPARRING up --as pos --config s.yaml --port "$PORT" 2>&1 < /dev/null | grep -o 'the option ".*\|".*" would be.*\|the group ".*'; }
item 'Size: small, large +8.00'
item 'Size: small, large'
item 'Size: small | large=8.00'
