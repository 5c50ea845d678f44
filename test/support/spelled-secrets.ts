/**
 * Secrets under names as programs of Portuguese, Spanish and English speakers spell them, each in one place of an
 * exchange. And values of order documents that only look like them.
 */
import { createHash } from 'node:crypto'
import type { Exchange } from '../../src/core/traffic/exchange.ts'
import { cpfCheckDigits } from '../../src/core/traffic/redaction/digits.ts'
import { sampleExchange, sampleT0 } from './sample-exchange.ts'

/** None of these spellings stands in a table of the product. */
const names = (
  'senha_nova nova-senha SenhaDoParceiro SENHAANTIGA senhaportal confirmacaoSenha contraseñaActual contrasena_nueva ' +
  'CONTRASENA pswd user_pwd pass passPhrase chave Chave-Da-Loja chaveintegracao chave_de_api ChaveSecreta clave ' +
  'clave_privada claveDeAcceso llave_api key accesskey access-key SECRET_ACCESS_KEY MerchantKey partner_key appkey ' +
  'key_webhook hmacKey auth X_Auth authKey chaveAutenticacao token_de_acesso TokenAcesso tokenacesso TOKEN_PARCEIRO ' +
  'tokenDoWebhook verify_token token-entrega idToken tkn assinatura assinaturaWebhook firma firma_digital hmac ' +
  'signature_v2 sig segredo segredoCliente secretoCompartido appSecret client-secret-new credencial credenciais_loja ' +
  'codigoSeguranca codigo_de_seguridad cvc otp pinCartao codigo_autorizacao codigoVerificacao codigoAcesso session_key ' +
  'chavePdv posKey GMAPS_KEY clave_terminal GITHUB_PAT laravel_session sid aspxauth oauth_verifier basicAuth ' +
  'codigoDesbloqueio recovery_code chave_ativacao respuesta_seguridad magicLink'
).split(' ')

const secretOf = (n: number): string =>
  createHash('sha256')
    .update(`spelled ${n}`)
    .digest('base64url')
    .replaceAll(/[-_]/g, 'q')
    .slice(0, 22)

type Place = (exchange: Exchange, name: string, secret: string) => Exchange

const asToken = (name: string): string => name.normalize('NFKD').replaceAll(/[^\x20-\x7E]/g, '')

const bodied =
  (type: string, make: (name: string, secret: string) => string): Place =>
  (exchange, name, secret) => ({
    ...exchange,
    request: {
      ...exchange.request,
      method: 'POST',
      headers: [['Content-Type', type]],
      body: make(name, secret),
    },
  })

const addressed =
  (make: (name: string, secret: string) => string): Place =>
  (exchange, name, secret) => {
    const { params: _params, orderId: _orderId, operation: _operation, ...rest } = exchange
    const url = `http://127.0.0.1:7101${make(encodeURIComponent(name), secret)}`
    return { ...rest, request: { method: 'GET', url, headers: [] } }
  }

const json = 'application/json'

const places: Readonly<Record<string, Place>> = {
  'a query': addressed((name, secret) => `/v1/orders?page=1&${name}=${secret}`),
  'a path': addressed((name, secret) => `/v1/${name}/${secret}/orders`),
  'a segment': addressed((name, secret) => `/v1/${name}:${secret}/orders`),
  'a header': (exchange, name, secret) => ({
    ...exchange,
    request: { ...exchange.request, headers: [[`X-${asToken(name)}`, secret]] },
  }),
  'a member': bodied(json, (name, secret) => JSON.stringify({ a: [{ [name]: secret }] })),
  'JSON in JSON': bodied(json, (name, secret) =>
    JSON.stringify({ payload: JSON.stringify({ [name]: secret }) }),
  ),
  'a form': bodied(
    'application/x-www-form-urlencoded',
    (name, secret) => `page=1&${encodeURIComponent(name)}=${secret}`,
  ),
  'an attribute': bodied(
    'application/xml',
    (name, secret) => `<order id="1"><login ${asToken(name)}="${secret}"/></order>`,
  ),
  'an attribute in a sentence': bodied(json, (name, secret) =>
    JSON.stringify({ message: `cannot read <login ${asToken(name)}="${secret}"/>` }),
  ),
  'a text': bodied(
    'text/plain',
    (name, secret) => `refused: ${asToken(name)}=${secret}, try again`,
  ),
  'a joined cookie': (exchange, name, secret) => ({
    ...exchange,
    reply: {
      status: 200,
      headers: [['Set-Cookie', `lang=pt; Path=/\n${asToken(name)}=${secret}; Path=/; HttpOnly`]],
      body: '{}',
    },
  }),
}

interface SpelledSecret {
  /** What must be nowhere. */
  readonly secret: string
  readonly title: string
  readonly exchange: Exchange
}

const placed = (title: string, n: number, place: Place, name = ''): SpelledSecret => {
  const secret = secretOf(n)
  const exchange = place(sampleExchange(n, { startedAt: sampleT0 + n * 10 }), name, secret)
  return { secret, title, exchange }
}

/** What its own form tells, whatever its name; and people. */
function unnamed(n: number): readonly SpelledSecret[] {
  const google = `AIza${secretOf(n)}${secretOf(n + 1)}`.slice(0, 39)
  const bot = `AA${secretOf(n + 2)}${secretOf(n + 3)}`.slice(0, 35)
  const base = `0${String(10_000_000 + n * 7919).slice(-8)}`
  const cpf = `${base}${cpfCheckDigits(base)}`
  const as = (title: string, secret: string, place: Place): SpelledSecret => ({
    ...placed(title, n, place),
    secret,
  })
  return [
    as(
      'a key of Google in a query',
      google,
      addressed(() => `/v1/orders?mapa=${google}`),
    ),
    as(
      'a key of Google in a path',
      google,
      addressed(() => `/v1/${google}/orders`),
    ),
    as(
      'a key of Google in a member',
      google,
      bodied(json, () => JSON.stringify({ mapa: google })),
    ),
    as(
      'the token of a bot in a path',
      bot,
      addressed(() => `/bot123456789:${bot}/sendMessage`),
    ),
    as(
      'the token of a bot in a text',
      bot,
      bodied(json, () => `{"x":"/bot123456789:${bot}/getMe"}`),
    ),
    as(
      'a short token of a bot',
      secretOf(n),
      addressed((_, each) => `/bot77:${each}/sendMessage`),
    ),
    as(
      'a CPF as a number',
      String(Number(cpf)),
      bodied(json, () => `{"documento":${Number(cpf)}}`),
    ),
    as(
      'a CPF of a customer',
      String(Number(cpf)),
      bodied(json, () => `{"cpf_cliente":${Number(cpf)}}`),
    ),
    as(
      'a name in a form',
      'Quitéria',
      bodied('application/x-www-form-urlencoded', () => 'nome=Quit%C3%A9ria+Sousa&mesa=4'),
    ),
  ]
}

/** More than 250, each name in every third place. */
export const spelledSecrets: readonly SpelledSecret[] = names
  .flatMap((name, at) =>
    Object.entries(places)
      .filter((_, index) => (at + index) % 3 === 0)
      .map(([where, place]) => ({ title: `${name} in ${where}`, place, name })),
  )
  .map(({ title, place, name }, index) => placed(title, index + 1, place, name))
  .concat(unnamed(1000))

/** Names of numbers in order documents. */
const numberNames = (
  'id orderId order_id pedidoId codigoProduto code sku ean gtin plu barcode nsu protocolo sequence trackingCode ' +
  'numeroPedido orderNumber invoiceNumber externalCode serialNumber batch lote reference timestamp'
).split(' ')

/** Names that hold the letters of a secret and none of its words, and harmless values under names that are near. */
const harmlessTexts: Readonly<Record<string, readonly unknown[]>> = {
  keyboard: ['ABNT2', 'k3y-board-17'],
  hashtag: ['#pizza2026', 'hash-tag-9f3'],
  passenger: ['seat-12a', 2],
  author: ['chef-42'],
  accessibility: ['ramp-2', 'wheelchair'],
  monkey: ['banana-3b'],
  keywords: ['x-burger-2', 'calabresa'],
  passage: ['B-12x'],
  secretaria: ['sala-3b'],
  resenha: ['nota-10-a'],
  design: ['v2.1-beta3'],
  turnkey: ['yes-2026'],
  confirma: ['sim-1'],
  tokenId: ['tok-0042-a1'],
  keyId: ['2026-11-a'],
  token_type: ['Bearer'],
  tipoToken: ['acesso'],
  tokenUrl: ['https://h.example/oauth/token'],
  expiresIn: [3600],
  senhaObrigatoria: ['sim'],
  passwordPolicy: ['min-8-chars'],
  primaryKey: ['order_2026_11a'],
  sortKey: ['createdAt-2026b'],
  cacheKey: ['menu:v12:pt'],
  routingKey: ['orders.created.v2'],
  publicKey: ['key-2026-11b'],
  chaveNFe: ['35261112345678000195550010000012341000012345'],
  key: ['size', 'APP', 'produto-12', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  chave: ['tamanho', 'borda-2'],
  auth: ['none', 'basic'],
  pass: ['ok', 'fail'],
  firma: ['Padaria Sol'],
  assinatura: ['mensal', 'Plano Ouro'],
  hash: ['9f8e7d6c5b4a39281706f5e4d3c2b1a0'],
  signatureAlgorithm: ['HMAC-SHA256'],
  authorizationStatus: ['APPROVED'],
  cookieConsent: ['accepted-v2'],
  eventType: ['CREATED', 'ORDER_CANCELLATION_REQUEST', 'DELIVERY_DROPPED_OFF'],
  status: ['CONFIRMED', 'READY_FOR_PICKUP'],
  method: ['CREDIT', 'PIX', 'MEAL_VOUCHER'],
  brand: ['VISA', 'ELO'],
  price: [40.25, 12, '1.234,56'],
  quantity: [2, 0.5],
  createdAt: ['2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00-03:00'],
  horario: ['18:30', '11:00-15:00'],
  name: ['Pizza Calabresa', 'X-Burger 2x', 'Coca-Cola 350ml'],
  description: ['Massa fina; molho: tomate', 'Serve 2 pessoas: sem cebola', 'Contém: leite, ovos'],
  codigo: ['PIZZA-01', 'A1B2C3', '0042'],
  statusCode: [200, 404],
  errorCode: ['ORDER_NOT_FOUND'],
  couponCode: ['VOLTA10'],
  dataValidade: ['2026-12-01'],
  expiryDate: ['2026-12-01'],
  plate: ['prato raso'],
  merchantName: ['Padaria do Sol'],
  productName: ['Água 500ml'],
  cardBrand: ['ELO'],
  tipoDocumento: ['CNPJ'],
  tipoEndereco: ['RESIDENCIAL'],
  statusEmail: ['VERIFICADO'],
  addressType: ['HOME'],
  phoneType: ['MOBILE'],
  sessionTimeout: [30],
  accessLevel: ['ADMIN'],
  itemKey: ['V1StGXR8Z5jdHi6BmyT2', 'borda-2'],
  orderKey: ['2YTGN-0024'],
  menuHash: ['9f8e7d6c5b4a39281706f5e4d3c2b1a0'],
  kitchenKey: ['k8D02hF9a0qLz71XwB3e'],
  sk: ['ITEM#2026-11-20#0001'],
  session: ['jantar-2', 'DINNER_2026'],
  mfa: ['optional'],
  zap: ['sim'],
  slug: ['sk-live-music-night-special', 'pizza-api-2026-calabresa-com-borda'],
  customerType: ['NEW'],
  details: [{ name: 'Combo Família' }],
  dadosEntrega: [{ tipo: 'MOTO' }],
  contactMethod: ['whatsapp'],
  deviceCode: ['POS-1'],
  activationStatus: ['done'],
}

/** Digits that recur with every run and look random, from 13 to 18. */
function digitsOfNumber(n: number): string {
  const hex = createHash('sha256').update(`number ${n}`).digest('hex')
  const digits = BigInt(`0x${hex}`).toString()
  return digits.slice(0, 13 + (n % 6))
}

/** More than 3,000 documents of one member, none of which is a secret. */
export const harmlessDocuments: readonly string[] = [
  ...Object.entries(harmlessTexts).flatMap(([name, values]) =>
    values.flatMap((value) => [
      JSON.stringify({ [name]: value }),
      JSON.stringify({ order: { items: [{ [name]: value }] } }),
    ]),
  ),
  ...Array.from({ length: 3000 }, (_, n) => {
    const digits = digitsOfNumber(n)
    const name = numberNames[n % numberNames.length] ?? 'id'
    return `{"${name}":${n % 2 === 0 && digits.length < 16 ? digits : JSON.stringify(digits)}}`
  }),
]
