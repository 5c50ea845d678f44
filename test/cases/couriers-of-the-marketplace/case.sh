# A point of sale that asks for no couriers: its marketplace sends them. It polls.
cat > service.sh <<'END'
unset SPARRING_DELIVERY_PLATFORM_URL
exec $SPARRING demo --service --speed 20
END
run() { $SPARRING run plain.yaml story.yaml --start 'sh service.sh' --port "$PORT" --speed 20 --channel polling "$@" 2>/dev/null; echo "exit $?"; }
run
echo 'capabilities: { logistics: false }' > off.yaml
run --config off.yaml --grep courier
echo 'capabilities: { logistics: true }' > on.yaml
run --config on.yaml --grep courier | grep -E '^(FAIL|exit|not)|createDelivery|SE-1'
