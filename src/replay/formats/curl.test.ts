/** Commands for every shell, typed and copied from browsers. */
import { expect, test } from 'vitest'
import { importInPieces } from '../../../test/support/run-import.ts'
import { curlFormat } from './curl.ts'

const now = 1_795_176_000_000
const read = (paste: string) => importInPieces(curlFormat, paste, { now })
const requests = (paste: string) => read(paste).imported.map(({ exchange }) => exchange.request)

test('a command copied from a browser as bash', () => {
  const [request] = requests(
    String.raw`curl 'https://partner.example/api/v2/orders/o-1/confirm' \
  -X 'POST' \
  -H 'accept: application/json' \
  -H 'authorization: Bearer abc' \
  -H $'x-note: it\'s \u00e9 \U0001F355 \xc3\xa7' \
  -b 'sid=1; theme=dark' \
  --data-raw $'{"reason":"l\'eau\n"}' \
  --compressed`,
  )
  expect(request).toEqual({
    method: 'POST',
    url: 'https://partner.example/api/v2/orders/o-1/confirm',
    headers: [
      ['accept', 'application/json'],
      ['authorization', 'Bearer abc'],
      ['x-note', "it's é 🍕 ç"],
      ['Cookie', 'sid=1; theme=dark'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Accept-Encoding', 'deflate, gzip, br, zstd'],
    ],
    body: '{"reason":"l\'eau\n"}',
  })
})

test('missing response and missing timestamp are warned about', () => {
  const [imported] = read('curl -X POST https://partner.example/v2/orders/o-1/confirm').imported
  expect(imported?.exchange).toMatchObject({ startedAt: now, tookMs: 0 })
  expect(imported?.exchange.reply).toBeUndefined()
  expect(imported?.warn).toEqual(['no response', 'clock inferred'])
})

const sameInEveryShell = {
  method: 'PUT',
  url: 'https://h.example/a?x=1&y=%20',
  headers: [['content-type', 'application/json']],
  body: '{"a":"he said \\"no\\" & left","b":"50% ^ `"}',
}

test.each([
  [
    'bash',
    String.raw`curl -X PUT 'https://h.example/a?x=1&y=%20' -H 'content-type: application/json' -d '{"a":"he said \"no\" & left","b":"50% ^ ` +
      '`"}\'',
  ],
  [
    'the Windows prompt, every sign with a caret',
    String.raw`curl -X ^"PUT^" ^"https://h.example/a?x=1^&y=^%20^" ^` +
      '\r\n' +
      String.raw`  -H ^"content-type: application/json^" ^` +
      '\r\n' +
      String.raw`  --data-raw ^"^{^\^"a^\^":^\^"he said ^\\^\^"no^\\^\^" ^& left^\^",^\^"b^\^":^\^"50^% ^^ ` +
      '`^\\^"^}^"',
  ],
  [
    'the Windows prompt, quotes doubled',
    'curl -X PUT "https://h.example/a?x=1&y=%20" ^\r\n -H "content-type: application/json" ^\r\n' +
      ' --data-raw "{""a"":""he said \\\\""no\\\\"" & left"",""b"":""50% ^ `""}"',
  ],
  [
    'PowerShell',
    'Invoke-WebRequest -UseBasicParsing -Uri "https://h.example/a?x=1&y=%20" `\r\n-Method "PUT" `\r\n' +
      '-ContentType "application/json" `\r\n' +
      '-Body "{`"a`":`"he said \\`"no\\`" & left`",`"b`":`"50% ^ ```"}"',
  ],
  [
    'curl.exe in PowerShell',
    `curl.exe -X PUT 'https://h.example/a?x=1&y=%20' \`\n -H 'content-type: application/json' -d '{"a":"he said \\\\\\"no\\\\\\" & left","b":"50% ^ \`"}'`,
  ],
])('the same request is parsed from %s', (_, paste) => {
  const [request] = requests(paste)
  expect({
    ...request,
    headers: request?.headers.map(([name, value]) => [name.toLowerCase(), value]),
  }).toEqual(sameInEveryShell)
})

test('cmd.exe: an escaped line feed in a body is kept', () => {
  const [request] = requests('curl ^"http://h.example/^" ^\n --data-raw ^"a^\n\nb^"')
  expect(request?.body).toBe('a\nb')
})

test('cmd.exe: two quotes are an empty argument, and inside of quotes one quote', () => {
  const bodyOf = (argument: string) =>
    requests(`curl ^"http://h.example/^" ^\n -X POST --data-raw ${argument} -H "a: 1"`)[0]
  expect(bodyOf('""')).toMatchObject({ body: '', headers: [['a', '1'], expect.anything()] })
  expect(bodyOf('"a""b"')?.body).toBe('a"b')
  expect(bodyOf('a""b')?.body).toBe('ab')
  expect(bodyOf('"" ""')?.url).toBe('http://h.example/')
})

test('PowerShell: two single quotes inside of single quotes are one', () => {
  const bodyOf = (argument: string) =>
    requests(`Invoke-WebRequest -Uri 'http://h.example/' -Method POST -Body ${argument}`)[0]?.body
  expect(bodyOf("''''")).toBe("'")
  expect(bodyOf("'it''s'")).toBe("it's")
  expect(bodyOf("'a''''b'")).toBe("a''b")
})

test.each([
  ['x=1', 'http://h.example/?x=1'],
  ['+x', 'http://h.example/?x'],
  ['+x=%20', 'http://h.example/?x=%20'],
  ['q=a&b=c#d', 'http://h.example/?q=a%26b%3Dc%23d'],
  ['q=é!', 'http://h.example/?q=%C3%A9%21'],
  ['a b', 'http://h.example/?a+b'],
])('--url-query %s adds to the query', (value, url) => {
  expect(requests(`curl http://h.example/ --url-query '${value}'`)[0]?.url).toBe(url)
  expect(requests(`curl 'http://h.example/?a#b' --url-query '${value}'`)[0]?.url).toBe(
    url.replace('?', '?a&').concat('#b'),
  )
})

test('PowerShell copied from a browser: user agent and cookies come from the session, headers from the hashtable', () => {
  const paste = `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Mozilla/5.0 (X11)"
$session.Cookies.Add((New-Object System.Net.Cookie("sid", "s-1", "/", "h.example")))
$session.Cookies.Add((New-Object System.Net.Cookie("lang", "pt", "/", "h.example")))
Invoke-WebRequest -UseBasicParsing -Uri "https://h.example/v1/x" \`
-Method "POST" \`
-WebSession $session \`
-Headers @{
"authority"="h.example"
  "method"="POST"
  "path"="/v1/x"
  "scheme"="https"
  "accept"="*/*"
  "x-quote"="a \`"b\`""
} \`
-ContentType "text/plain" \`
-Body ([System.Text.Encoding]::UTF8.GetBytes("olá"))`
  expect(requests(paste)).toEqual([
    {
      method: 'POST',
      url: 'https://h.example/v1/x',
      headers: [
        ['accept', '*/*'],
        ['x-quote', 'a "b"'],
        ['Content-Type', 'text/plain'],
        ['User-Agent', 'Mozilla/5.0 (X11)'],
        ['Cookie', 'sid=s-1; lang=pt'],
      ],
      body: 'olá',
    },
  ])
})

test('PowerShell: letters beyond ASCII as browsers write them, in strings and here-strings', () => {
  const letters =
    '$([char]233)$( [char]0xE7 )$([char]55356)$([char]57173)$([char]::ConvertFromUtf32(0x1F355))'
  const bodyOf = (body: string) =>
    requests(`Invoke-WebRequest -Uri "https://h.example/" -Method POST -Body ${body}`)[0]?.body
  expect(bodyOf(`"a ${letters} \`$([char]233) $([char]x)"`)).toBe(
    'a éç🍕🍕 $([char]233) $([char]x)',
  )
  expect(bodyOf(`@"\n{"a":"${letters}"}\n"@`)).toBe('{"a":"éç🍕🍕"}')
  expect(bodyOf(`'${letters}'`)).toBe(letters)
  expect(bodyOf(`@'\n${letters}\n'@`)).toBe(letters)
})

test.each([
  ['-d takes no line ends of a file', '-d @- h.example <<EOF\n{\n 1}\r\nEOF\n', '{ 1}'],
  ['--data-binary', "--data-binary @- h.example <<'EOF'\n{\n 1}\nEOF", '{\n 1}\n'],
  ['--json', '--json @- h.example << EOF\n{}\nEOF\n', '{}\n'],
  ['-T', '-T - h.example <<EOF\nup\nEOF\n', 'up\n'],
  ['--data-urlencode', '--data-urlencode n@- h.example <<< "a b"', 'n=a+b%0A'],
  ['<<- drops tabs', '-d @- h.example <<-END\n\t{\n\t\t"a": 1}\n\tEND\n', '{"a": 1}'],
  ['a word that looks like the end', '-d @- h.example <<E\nEE\n E\nE\n', 'EE E'],
  [
    'nothing is special in a quoted one',
    '--json @- h.example <<\\E\n\\$x `y` "\'\nE\n',
    '\\$x `y` "\'\n',
  ],
  ['escapes in another', '--json @- h.example <<E\n\\$x \\\\ \\\n\\n "\'\nE\n', '$x \\ \\n "\'\n'],
  ['two documents, the last counts', '-d @- h.example <<A <<B\na\nA\nb\nB\n', 'b'],
  ['a pipe behind it', '-d @- h.example <<E | jq . > out.json 2>&1\nx\nE\n', 'x'],
  ['in an argument', '-d "$(cat <<\'E\'\n{"a": "b"}\nE\n)" h.example', '{"a": "b"}'],
  ['in an argument without quotes', '-d $(cat <<E\nx\n\nE\n) h.example', 'x'],
])('here-documents: %s', (_, rest, body) => {
  const { imported, problems } = read(`curl ${rest}\n`)
  expect(problems).toEqual([])
  expect(imported.map(({ exchange }) => exchange.request)).toMatchObject([
    { url: 'http://h.example', body },
  ])
})

test('what is piped into curl is its body, as far as the paste tells', () => {
  const paste = `cat <<EOF | curl -d @- h.example/1
{"a":
1}
EOF
echo -n '{"b":2}' | curl -d @- h.example/2 | jq . > 2.json
printf '%s' '{"c":3}' | curl --data-binary @- h.example/3
jq . 4.json | curl -d @- h.example/4
`
  const { imported, problems } = read(paste)
  expect(problems).toEqual([])
  expect(imported.map(({ exchange }) => exchange.request.body)).toEqual([
    '{"a":1}',
    '{"b":2}',
    '{"c":3}',
    undefined,
  ])
  expect(imported[3]?.warn).toContain('the body is in a file, which was not read')
})

test('redirections are no URLs, and prompts of a pasted session are no arguments', () => {
  const paste =
    'curl h.example/1 > out.json 2>/dev/null\n> curl h.example/2 \\\n> -d a=1 < in.txt 2>&1\ncurl h.example/3 &> all.log &\n'
  const { imported, problems } = read(paste)
  expect(problems).toEqual([])
  expect(
    imported.map(({ exchange: { request } }) => [request.url.slice(-1), request.body]),
  ).toEqual([
    ['1', undefined],
    ['2', 'a=1'],
    ['3', undefined],
  ])
})

test('a here-document that does not end ends the import there; variables in one are left, with a warning', () => {
  const { imported, problems } = read(
    'curl -d @- h.example/1 <<E\n$TOKEN\nE\ncurl -d @- h.example/2 <<EOF\n{}\n',
  )
  expect(imported[0]?.exchange.request.body).toBe('$TOKEN')
  expect(imported[0]?.warn).toContain('left as it is written: $TOKEN')
  expect(problems).toEqual([
    {
      where: 'line 4, column 24',
      message: 'a here-document is opened (<<EOF) and never closed',
      fatal: true,
    },
  ])
  for (const open of ['-d $(cat <<E\nx\n', '-d "$(cat <<E\nx\nE\n"'])
    expect(read(`curl h.example/1\ncurl ${open}`)).toMatchObject({
      imported: [{}],
      problems: [{ fatal: true }],
    })
})

test.each<[string, string, object]>([
  ['-d twice', `curl h.example -d a=1 -d 'b=2 3'`, { method: 'POST', body: 'a=1&b=2 3' }],
  [
    '-G',
    `curl -G h.example/x?q=0 -d a=1 --data-urlencode 'b=ç é'`,
    { method: 'GET', url: 'http://h.example/x?q=0&a=1&b=%C3%A7+%C3%A9' },
  ],
  [
    '--json',
    `curl --json '{"a":' --json '1}' h.example`,
    {
      method: 'POST',
      body: '{"a":1}',
      headers: [
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json'],
      ],
    },
  ],
  ['-u', `curl -u me:pw h.example`, { headers: [['Authorization', 'Basic bWU6cHc=']] }],
  ['-I', `curl -I h.example`, { method: 'HEAD' }],
  [
    'flags together',
    `curl -sSkLXPATCH --url h.example -o /dev/null -m 5`,
    { method: 'PATCH', url: 'http://h.example' },
  ],
  [
    'quotes in the middle of a word',
    `curl h.example/"a b"'c'\\ d`,
    { url: 'http://h.example/a%20bc%20d' },
  ],
  [
    'a header without value, one taken away',
    `curl -H 'X-Empty;' -H 'Accept:' h.example`,
    { headers: [['X-Empty', '']] },
  ],
  [
    'headers that curl would add, taken away',
    `curl -d a=1 -u me:pw --compressed -A me h.example -H Content-Type: -H authorization: -H Accept-Encoding: -H User-Agent:`,
    { method: 'POST', body: 'a=1', headers: [] },
  ],
  [
    'a header that an option and -H both name',
    `curl -A me -H 'User-Agent: you' h.example`,
    { headers: [['User-Agent', 'you']] },
  ],
  [
    'a file put into a folder',
    `curl -T 'in/order 1.xml' 'h.example/in/?x=1'`,
    { method: 'PUT', url: 'http://h.example/in/order%201.xml?x=1' },
  ],
  ['dots in a path', `curl h.example/../b/./c`, { url: 'http://h.example/b/c' }],
  ['--path-as-is', `curl --path-as-is h.example/../b`, { url: 'http://h.example/../b' }],
  ['-- before URLs', `curl -s -- h.example`, { url: 'http://h.example' }],
  ['-G of a form, which is not asked for', `curl -G -F a=b h.example`, { method: 'POST' }],
  [
    'letters beyond ASCII',
    `curl h.example/ção?é=1`,
    { url: 'http://h.example/%C3%A7%C3%A3o?%C3%A9=1' },
  ],
  [
    'a prompt, a variable before it, sudo',
    `$ TOKEN=1 sudo /usr/bin/curl h.example`,
    { url: 'http://h.example' },
  ],
])('%s', (_, paste, expected) => {
  expect(requests(paste)[0]).toMatchObject(expected)
})

test('-F is encoded as multipart/form-data', () => {
  const [request] = requests(
    `curl -F name=Ana -F 'photo=@me.png;type=image/png' https://h.example/up`,
  )
  expect(request?.method).toBe('POST')
  expect(request?.headers[0]?.[1]).toMatch(/^multipart\/form-data; boundary=/)
  expect(request?.body).toContain('name="name"\r\n\r\nAna\r\n')
  expect(request?.body).toContain('filename="me.png"\r\nContent-Type: image/png\r\n\r\n')
})

test('several commands with lists, pipes and comments are parsed', () => {
  const paste = `# first the token
curl -s https://h.example/a | jq -r .token ;
curl https://h.example/b && curl https://h.example/c https://h.example/d
curl https://h.example/e --next -X POST https://h.example/f &
`
  const { imported, problems } = read(paste)
  expect(
    imported.map(({ exchange: { request } }) => `${request.method} ${request.url.slice(-1)}`),
  ).toEqual(['GET a', 'GET b', 'GET c', 'GET d', 'GET e', 'POST f'])
  expect(problems).toEqual([])
  expect(imported.map(({ exchange }) => exchange.startedAt - now)).toEqual([0, 1, 2, 3, 4, 5])
})

test('shell variables are not expanded, with a warning', () => {
  const [imported] = read('curl -H "Authorization: Bearer $TOKEN" https://h.example/$ID').imported
  expect(imported?.exchange.request).toMatchObject({
    url: 'https://h.example/$ID',
    headers: [['Authorization', 'Bearer $TOKEN']],
  })
  expect(imported?.warn).toContain('left as it is written: $TOKEN, $ID')
})

test('an unterminated quote ends the import there; commands before it are kept', () => {
  const { imported, problems } = read(`curl h.example/1\ncurl h.example/2 \\\n  -d '{"a":1`)
  expect(imported.map(({ exchange }) => exchange.request.url)).toEqual(['http://h.example/1'])
  expect(problems).toEqual([
    { where: 'line 3, column 6', message: "a quote is opened (') and never closed", fatal: true },
  ])
})

test('other commands, missing URLs and invalid URLs are reported by line', () => {
  const { imported, problems } = read('cd /tmp\ncurl -s\ncurl "http://["\ncurl ok.example')
  expect(imported).toHaveLength(1)
  expect(problems).toEqual([
    { where: 'line 1', message: 'it is no curl command' },
    { where: 'line 2', message: 'the curl command names no URL' },
    { where: 'line 3', message: 'its address is no URL' },
  ])
})

test('files referenced by a command are not read, with a warning', () => {
  const [imported] = read('curl -d @/etc/passwd -b jar.txt h.example').imported
  expect(imported?.exchange.request.body).toBeUndefined()
  expect(imported?.warn).toContain('the body is in a file, which was not read')
  expect(imported?.warn).toContain('cookies stand in a file, which was not read')
})

test.each([
  ['-d @f.json', 'POST', 'application/x-www-form-urlencoded', undefined],
  ['-d @f.json -d b=2', 'POST', 'application/x-www-form-urlencoded', 'b=2'],
  ['--data-binary @f.json', 'POST', 'application/x-www-form-urlencoded', undefined],
  ['--data-urlencode name@f.txt', 'POST', 'application/x-www-form-urlencoded', undefined],
  ['--json @f.json', 'POST', 'application/json', undefined],
  ["-H 'Content-Type: text/csv' -d @f.csv", 'POST', 'text/csv', undefined],
  ['-X PATCH -d @f.json', 'PATCH', 'application/x-www-form-urlencoded', undefined],
  ['-G -d @f.txt', 'GET', undefined, undefined],
  ['-T f.json', 'PUT', undefined, undefined],
])(
  'data from a file makes the same request, without its content: %s',
  (args, method, type, body) => {
    const [imported] = read(`curl http://h.example/x ${args}`).imported
    const request = imported?.exchange.request
    expect(request?.method).toBe(method)
    expect(request?.body).toBe(body)
    expect(new Map(request?.headers).get('Content-Type')).toBe(type)
    expect(imported?.warn).toContain(
      args.includes('urlencode')
        ? 'a part of the body is in a file, which was not read'
        : 'the body is in a file, which was not read',
    )
  },
)

test.each([
  ["'http://us%20er:p%40w@h.example/x'", 'Basic dXMgZXI6cEB3'],
  ["'http://me@h.example/x'", 'Basic bWU6'],
  ["'http://u:p@h.example/x' -u a:b", 'Basic YTpi'],
  ["'http://u:p@h.example/x' -H 'Authorization: Bearer t'", 'Bearer t'],
  ["'http://h.example/x' -u a:b --digest", undefined],
  ["'http://h.example/x?mail=a:b@c.example'", undefined],
])('credentials of a URL are sent as Basic, unless there are others: %s', (args, authorization) => {
  const [request] = requests(`curl ${args}`)
  // Beside others they stay in the URL, where redaction learns them, and are not sent.
  expect(request?.url).toMatch(/^http:\/\/(?:u:p@)?h\.example\/x/)
  expect(request?.url.includes('@h')).toBe(args.includes('u:p@'))
  expect(new Map(request?.headers).get('Authorization')).toBe(authorization)
})

test.each([
  ['/orders/[1-3]/confirm', ['/orders/1/confirm', '/orders/2/confirm', '/orders/3/confirm']],
  ['/[08-10]', ['/08', '/09', '/10']],
  ['/[1-6:2]', ['/1', '/3', '/5']],
  ['/[a-c]', ['/a', '/b', '/c']],
  ['/{a,b}/[1-2]', ['/a/1', '/a/2', '/b/1', '/b/2']],
  ['/{orderId}', ['/orderId']],
  ['/a\\[1\\]', ['/a[1]']],
  ['/a?list=\\{1,2\\}', ['/a?list={1,2}']],
])('a URL with lists and ranges is as many requests: %s', (path, paths) => {
  expect(requests(`curl -X POST 'http://h.example${path}'`).map(({ url }) => url)).toEqual(
    paths.map((each) => `http://h.example${each}`),
  )
  expect(requests(`curl -g 'http://h.example${path}'`).map(({ url }) => url)).toEqual([
    `http://h.example${path}`,
  ])
})

test('the address of a host is no range; what curl refuses is left as it is written, with a warning', () => {
  expect(requests("curl 'http://[::1]:3000/x'").map(({ url }) => url)).toEqual([
    'http://[::1]:3000/x',
  ])
  for (const path of ['/[3-1]', '/{a', '/a]', '/{}', '/[a-Z]', '/{{id}}', '/[1-9999]']) {
    const [imported] = read(`curl 'http://h.example${path}'`).imported
    expect(imported?.exchange.request.url).toBe(`http://h.example${path}`)
    expect(imported?.warn).toContain(
      'curl refuses a brace or bracket of its URL, which is left as it is written',
    )
  }
})

test('options of two methods leave the command out, as curl does', () => {
  const { imported, problems } = read('curl -I -d a=1 h.example\ncurl -F a=1 -T x h.example')
  expect(imported).toEqual([])
  expect(problems.map(({ message }) => message.replace(/ and .*/, ''))).toEqual([
    'curl takes one of --head, --data',
    'curl takes one of --form, --upload-file',
  ])
})

test('an option that curl does not know leaves the command out, by line and name', () => {
  const { imported, problems } = read(
    'curl --request=POST http://h.example/1\ncurl --frob http://h.example/2\ncurl -sSL --no-progress-meter --compressed http://h.example/3',
  )
  expect(imported.map(({ exchange }) => exchange.request.url)).toEqual(['http://h.example/3'])
  expect(imported[0]?.exchange.request.headers[0]?.[0]).toBe('Accept-Encoding')
  expect(problems).toEqual([
    {
      where: 'line 1',
      message:
        'curl knows no option --request= and refuses the command, which was left out; the value of an option stands behind a space',
    },
    {
      where: 'line 2',
      message: 'curl knows no option --frob and refuses the command, which was left out',
    },
  ])
})

test('what an option would add is said where it cannot be read; the value of no option is a URL', () => {
  const { imported, problems } = read(
    'curl --netrc -K secret.conf --proxy-ciphers X --mail-from a.example http://h.example/1',
  )
  expect(problems).toEqual([])
  expect(imported.map(({ exchange }) => exchange.request.url)).toEqual(['http://h.example/1'])
  expect(imported[0]?.warn).toEqual([
    'no response',
    'clock inferred',
    'left out: what --netrc adds',
    'left out: what --config adds',
  ])
})

test('PowerShell takes values behind a colon too', () => {
  expect(requests('irm -Method:Post -Uri:https://h.example/x -ContentType:a/b')).toMatchObject([
    { method: 'POST', url: 'https://h.example/x', headers: [['Content-Type', 'a/b']] },
  ])
})
