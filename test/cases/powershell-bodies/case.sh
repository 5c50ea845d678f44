# Bodies that PowerShell makes of a hashtable, of a file and of code.

. "$TOOLS/import-curl.sh"

echo "Invoke-RestMethod 'http://shop.test/a' -Method Post -Body @{ name = 'Ana & Cia'; n = 2 }" | import_curl
echo "irm 'http://shop.test/b' -Method Put -ContentType 'application/json' -Body (@{ reason = 'x'; n = 2; ok = \$true } | ConvertTo-Json)" | import_curl
echo "Invoke-RestMethod 'http://shop.test/c' -Body @{ q = 'a b' }" | import_curl
echo "Invoke-RestMethod 'http://shop.test/d' -Method Post -Body \$body" | import_curl
echo "Invoke-RestMethod 'http://shop.test/e' -Method Post -Body (@{ list = @('a', 'b') } | ConvertTo-Json)" | import_curl
echo "Invoke-RestMethod 'http://shop.test/f' -CustomMethod PURGE -InFile order.json" | import_curl
