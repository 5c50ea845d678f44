/** One secret of each kind in each place and encoding: none survives. */
import { expect, test } from 'vitest'
import { redactor } from '../../../../test/support/redactor.ts'

const orders = 'http://127.0.0.1:7101/v2/orders/o-1'

const canaries: readonly (readonly [key: string, value: string, trace: string])[] = [
  ['email', 'canario.silva@provedor.com.br', 'canario.silva'],
  ['phone', '+5511987651234', '87651234'],
  ['documentNumber', '529.982.247-25', '529.982'],
  ['cnpj', '11.444.777/0001-61', '11.444.777'],
  ['access_token', 'canary-token-3141592653', 'canary-token'],
  ['client_secret', 'canary-secret-2718281828', 'canary-secret'],
  ['customerName', 'Canária da Silva', 'Canária'],
  ['street', 'Rua do Canário 1234', 'Canário'],
  ['cardNumber', '4111 1111 1111 1111', '4111 1111'],
  ['birthDate', '1987-06-05', '1987-06-05'],
  ['notes', 'ask canary at the door', 'canary'],
  ['pickupCode', '918273', '918273'],
  ['latitude', '-23.5612345', '5612345'],
]

const base64 = (text: string) => Buffer.from(text).toString('base64')
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Every place, as a body with its content type. */
const places: Record<
  string,
  (key: string, value: string) => readonly [body: string, type: string]
> = {
  json: (key, value) => [JSON.stringify({ [key]: value }), 'application/json'],
  'a list in an object in a list': (key, value) => [
    JSON.stringify([{ a: { b: [[{ [key]: value }]] } }]),
    'application/json',
  ],
  'a list of values': (key, value) => [JSON.stringify({ [key]: [value, value] }), ''],
  'JSON in a JSON string': (key, value) => [
    JSON.stringify({ payload: JSON.stringify({ [key]: value }) }),
    'application/json',
  ],
  'JSON in a JSON string in a JSON string': (key, value) => [
    JSON.stringify({ p: JSON.stringify({ q: JSON.stringify(JSON.stringify({ [key]: value })) }) }),
    'application/json',
  ],
  'base64 in JSON': (key, value) => [
    JSON.stringify({ data: base64(JSON.stringify({ [key]: value })) }),
    'application/json',
  ],
  'percent-encoded in JSON': (key, value) => [
    JSON.stringify({ state: encodeURIComponent(JSON.stringify({ [key]: value })) }),
    'application/json',
  ],
  'a message that echoes its input': (key, value) => [
    JSON.stringify({
      error: { code: 'BAD', message: `cannot read {"x":[{"${key}":"${value}"}]} at 3` },
    }),
    'application/json',
  ],
  'claims of a token': (key, value) => [
    JSON.stringify({ hint: `${part({ alg: 'none' })}.${part({ [key]: value })}.c2ln` }),
    'application/json',
  ],
  form: (key, value) => [
    `grant_type=x&${key}=${encodeURIComponent(value)}`,
    'application/x-www-form-urlencoded',
  ],
  'JSON in a form': (key, value) => [
    `payload=${encodeURIComponent(JSON.stringify({ [key]: value }))}&a=1`,
    'application/x-www-form-urlencoded',
  ],
  'parts of a form': (key, value) => [
    `--b1\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n--b1--\r\n`,
    'multipart/form-data; boundary=b1',
  ],
  markup: (key, value) => [`<order><${key}>${value}</${key}></order>`, 'application/xml'],
  'JSON that breaks off': (key, value) => [
    JSON.stringify({ a: { [key]: value } }).slice(0, -3),
    'application/json',
  ],
  'several documents': (key, value) => [
    `{"a":1}\n${JSON.stringify({ [key]: value })}\n`,
    'application/x-ndjson',
  ],
  'a URL in JSON': (key, value) => [
    JSON.stringify({ link: `https://x.example/cb?a=1&${key}=${encodeURIComponent(value)}` }),
    'application/json',
  ],
}

/** The text with every encoding decoded. */
function unfolded(text: string): string {
  let result = text
  for (let round = 0; round < 6; round++) {
    const found = [...text.matchAll(/[\w+/-]{16,}={0,2}/g)].map(([run]) =>
      Buffer.from(run, 'base64').toString('utf8'),
    )
    result = [result, ...found].join('\n').replaceAll('\\"', '"').replaceAll('\\\\', '\\')
    result = result.replaceAll(/%[\dA-F]{2}/gi, (escape) =>
      Buffer.from(escape.slice(1), 'hex').toString('latin1'),
    )
  }
  return result
}

const cases = Object.entries(places).flatMap(([place, hide]) =>
  canaries.map(([key, value, trace]) => [key, place, hide(key, value), trace] as const),
)

test.each(cases)('%s in %s is redacted', (_, __, [body, type], trace) => {
  expect(unfolded(body)).toMatch(new RegExp(trace.replaceAll('.', '\\.').replace('á', '.{1,2}')))
  const { value, red } = redactor.body('request', body, type, orders)
  expect(unfolded(value)).not.toContain(trace)
  expect(red.length).toBeGreaterThan(0)
  expect(JSON.stringify(red)).not.toContain(trace)
  expect(redactor.body('request', value, type, orders).value).toBe(value)
})

test.each([
  ['an e-mail address', 'write to canario.silva@provedor.com.br', 'canario'],
  ['a CPF, written', 'CPF 529.982.247-25', '529.982'],
  ['a CPF, bare', 'customer 52998224725 called', '52998224725'],
  ['a CNPJ, written', 'CNPJ 11.444.777/0001-61', '11.444'],
  ['a CNPJ with letters', 'of 12.ABC.345/01DE-35', '12.ABC'],
  ['a telephone number', 'call +55 11 98765-1234 now', '98765-1234'],
  ['a telephone number with an area', '(11) 98765-1234', '98765-1234'],
  ['a card', 'paid by 4111 1111 1111 1111', '4111 1111'],
  ['a card, bare', 'pan=4111111111111111', '4111111111111111'],
  ['credentials', 'sent Bearer canary.token-1', 'canary'],
  ['a password', 'login failed: password=canary1', 'canary1'],
  ['a place', 'at -23.561234,-46.655981', '561234'],
  [
    'an instant payment',
    '00020126360014br.gov.bcb.pix0114canary9120000052040000530398663041D3D',
    'canary',
  ],
] as const)('%s is recognised by its pattern under any key', (_, text, trace) => {
  const { value } = redactor.body('request', JSON.stringify({ x: text }), '', orders)
  expect(value).not.toContain(trace)
  expect(redactor.message(`it said ${text}`, 'm').value).not.toContain(trace)
})

test('query, fragment, credentials and path of a URL are redacted', () => {
  const url =
    'https://ana:pw-canary@partner.example/customers/5511987651234/cpf/529.982.247-25' +
    '?email=canario%40provedor.com.br&code=canary-code&orderId=o-1#access_token=canary-token'
  const { value } = redactor.url(url)
  for (const trace of ['pw-canary', '87651234', '529.982', 'canario', 'canary'])
    expect(value.url).not.toContain(trace)
  expect(value.url).toContain('orderId=o-1')
  expect(value.url).toMatch(/^https:\/\/~sec_[a-z]{10}@partner\.example\/customers\/551190/)
})

test('a value redacted in the path is redacted in the parameters', () => {
  const { value } = redactor.url('http://x/customers/11987651234/orders/o-1', {
    id: '11987651234',
    orderId: 'o-1',
  })
  expect(JSON.stringify(value)).not.toContain('87651234')
  expect(value.params?.['orderId']).toBe('o-1')
})

test('headers lose secrets and keep their structure', () => {
  const header = (name: string, value: string) => redactor.header('request', name, value).value
  expect(header('Authorization', 'Bearer canary')).toMatch(/^Bearer ~tok_[a-z]{10}$/)
  expect(header('authorization', 'Basic Y2FuYXJ5OmNhbmFyeQ==')).toMatch(/^Basic ~tok_[a-z]{10}$/)
  expect(header('Cookie', 'sid=canary; theme=dark')).toMatch(/^sid=~tok_[a-z]{10}; theme=~tok_/)
  expect(header('Set-Cookie', 'sid=canary; Path=/; HttpOnly')).toMatch(
    /^sid=~tok_[a-z]{10}; Path=\/; HttpOnly$/,
  )
  expect(header('X-App-Signature', 'deadbeef')).toMatch(/^~sig_[a-z]{10}$/)
  expect(header('X-Api-Key', 'canary')).toMatch(/^~sec_[a-z]{10}$/)
  expect(header('X-Forwarded-For', '200.147.3.1, 10.0.0.1')).toMatch(
    /^2[45]\d\.[\d.]+, 10\.0\.0\.1$/,
  )
  expect(header('Location', '/callback?code=canary&state=1')).toMatch(
    /^\/callback\?code=~sec_[a-z]{10}&state=1$/,
  )
})

test.each([
  ['by line ends', 'lang=pt; Path=/\nsid=canary-1; Path=/; HttpOnly'],
  ['by carriage returns', 'lang=pt; Path=/\r\nsid=canary-1'],
  ['by commas', 'lang=pt; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, sid=canary-1; Path=/'],
  ['three of them', 'a=b,c=canary-2, sid=canary-1'],
])('of several cookies joined %s each is redacted, and their attributes stay', (_, value) => {
  const once = redactor.header('response', 'Set-Cookie', value).value
  expect(once).not.toContain('canary')
  expect(once.replaceAll(/~tok_[a-z]{10}/g, '?')).toBe(
    value.replaceAll(/\b(lang|sid|a|c)=[^;,\r\n]+/g, '$1=?'),
  )
  expect(redactor.header('response', 'Set-Cookie', once).value).toBe(once)
})

test('headers with the names but not the content of secrets stay', () => {
  for (const [name, value] of [
    ['WWW-Authenticate', 'Bearer realm="orders", error="invalid_token"'],
    ['Idempotency-Key', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
    ['X-Cache-Key', 'menu-12-pt'],
    ['Surrogate-Key', 'menu-12 store-4'],
    ['X-Token-Type', 'bearer'],
    ['X-Request-Id', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
    ['X-App-MerchantId', 'merchant-1'],
    ['User-Agent', 'pos/1.2 (linux; x64) node/24.1.0'],
    ['Date', 'Fri, 20 Nov 2026 12:00:00 GMT'],
    ['Content-Type', 'application/json; charset=utf-8'],
  ] as const)
    expect(redactor.header('request', name, value)).toEqual({ value, red: [] })
})

test('a token has one pseudonym in the reply that issues it and in every call that carries it', () => {
  const answer = redactor.body(
    'response',
    '{"access_token":"abc-123-def","token_type":"bearer","expires_in":3600}',
    'application/json',
    'http://x/oauth/token',
  )
  const issued = JSON.parse(answer.value) as { access_token: string; token_type: string }
  expect(redactor.header('request', 'authorization', 'Bearer abc-123-def').value).toBe(
    `Bearer ${issued.access_token}`,
  )
  expect(issued.token_type).toBe('bearer')
})

test('a UUID behind the name of a secret is redacted, however the name is encoded, and no template keeps it', () => {
  const uuid = '7d9f0c1e-4a6b-4c8d-9e2f-1a3b5c7d9e0f'
  const isKept = (before: string) => ({
    url: redactor.url(before + uuid).value.url === before + uuid,
    template: redactor.keepsUuidAfter(before, 'orderId'),
  })
  expect(isKept('http://x/v1/orders/')).toEqual({ url: true, template: true })
  for (const name of ['senha', '%73enha'])
    expect(isKept(`http://x/v1/${name}/`)).toEqual({ url: false, template: false })
})
