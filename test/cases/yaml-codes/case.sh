# A menu in YAML whose codes look like numbers.
cat > menu.yaml <<'M'
- { externalCode: 2E5, name: Soup, price: 1.2e1 }
- { externalCode: 0xBEEF, name: Steak, price: 30 }
- { externalCode: 0o755, name: Salad, price: 9.50 }
- { externalCode: 4.0, name: Rice, price: 5 }
M
$SPARRING up --as pos --menu menu.yaml --merchants merchants.csv -p $PORT --quiet --ready-file ready >/dev/null 2>&1 &
until [ -s ready ] || [ $((n=n+1)) -gt 90 ]; do sleep 0.1; done
$SPARRING orders menu m1 --control http://127.0.0.1:$PORT --no-color
kill -INT $!; wait
printf -- '- { externalCode: 7, name: A, price: 1 }\n- { externalCode: 7, name: B, price: 2 }\n' > twice.yaml
$SPARRING up --as pos --menu twice.yaml -p $PORT --quiet 2>&1
echo "exit $?"
