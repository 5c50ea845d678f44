/** What the four services of this folder without a framework share: a JSON server with tokens, and a client that tries again. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const { env } = process
/** Of this service at its partners, of its tokens, and of the signatures of webhooks. */
const secret = env.CLIENT_SECRET ?? 'secret'

/** How many times faster than the wall clock pauses and time limits run. */
export const speed = Number(env.SPEED ?? 1)
export const sleep = (ms) => pause(ms / speed)

/** The planted mistake of this process; 0 is the correct service. */
const mutant = Number(env.MUTANT ?? 0)
export const wrong = (number) => mutant === number

// ---- the client ------------------------------------------------------------------------------------------------------

export class Failed extends Error {}
/** What the call was for is no longer needed. */
export class Withdrawn extends Error {}

/** A whole number: AbortSignal takes no other. */
const timeoutMs = Math.round(10_000 / speed)
const spread = () => 0.8 + Math.random() * 0.4

export const correctPolicy = {
  attempts: 5,
  pause: (attempt) => 1000 * 2 ** attempt * spread(),
  isTemporary: (status) => status === 0 || status === 429 || status >= 500,
  obeysRetryAfter: true,
  keepsToken: true,
  renews: true,
}

function retryAfterMs(headers) {
  const text = headers.get('retry-after')
  if (text === null) return 0
  const seconds = Number(text)
  return Number.isNaN(seconds) ? Math.max(0, Date.parse(text) - Date.now()) : seconds * 1000
}

const isList = (value) => Array.isArray(value) && value.length > 0

/** What a manifest must have (DIS-FLD-01 to DIS-FLD-12), of a version that is spoken here. */
const isValid = ({ participantId, protocolVersion, protocol, authentication, capabilities }) =>
  typeof participantId === 'string' &&
  typeof protocolVersion === 'string' &&
  isList(protocol?.supportedVersions) &&
  protocol.supportedVersions.some((each) => /^v?2/i.test(each)) &&
  isList(authentication?.supportedGrantTypes) &&
  isList(authentication.clientIdGeneration) &&
  typeof capabilities === 'object' &&
  (!Array.isArray(capabilities) ||
    capabilities.every((each) => each.name && each.role && Array.isArray(each.operations)))

const capabilityOf = ({ capabilities }, wanted) =>
  Array.isArray(capabilities)
    ? capabilities.find(({ name }) => name === wanted)
    : capabilities[wanted]

export class Client {
  #root
  #scope
  #policy
  #token
  #fetching
  /** By kind of call: when it may be made again, after 429 and 503. */
  #notBefore = new Map()
  #onFirstToken

  /** With its first token it reads the stores, unless something else is to be done then. */
  constructor(root, scope, policy = {}, onFirstToken = () => this.#readStores()) {
    this.#root = root.replace(/\/$/, '')
    this.base = this.#root
    this.#scope = scope
    this.#policy = { ...correctPolicy, ...policy }
    this.#onFirstToken = onFirstToken
  }

  #readStores() {
    void this.call('merchants', 'GET', '/merchants').catch(() => {})
  }

  /** Reads the manifest until it is valid: without one there is no integration (DIS-GEN-02). */
  async activate(capability) {
    for (let attempt = 0; ; attempt++) {
      try {
        const response = await fetch(`${this.#root}/.well-known/protocol`, {
          headers: { accept: 'application/json' },
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
        })
        const text = await response.text()
        const manifest = response.status === 200 ? JSON.parse(text) : {}
        const entry = isValid(manifest) && capabilityOf(manifest, capability)
        if (entry && entry.supported !== false) {
          this.base = (entry.baseUrl ?? entry.endpoint ?? this.#root).replace(/\/$/, '')
          return entry
        }
      } catch {
        // Not there, or no JSON: tried again below.
      }
      await sleep(Math.min(1000 * 2 ** attempt, 15_000) * spread())
    }
  }

  /** One token at a time, for all calls and stores, until it expires or is turned away. */
  async #bearer() {
    const isFirst = this.#token === undefined
    if (!isFirst && this.#policy.keepsToken && Date.now() < this.#token.until)
      return this.#token.value
    this.#fetching ??= this.#fetchToken().finally(() => (this.#fetching = undefined))
    await this.#fetching
    return this.#token.value
  }

  async #fetchToken() {
    for (let attempt = 0; ; attempt++) {
      const answer = await exchange(`${this.#root}/oauth/token`, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
          'x-request-id': randomUUID(),
        },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: env.CLIENT_ID ?? 'subject',
          client_secret: secret,
          scope: this.#scope,
        }),
      })
      if (answer.status === 200 && answer.json?.access_token) {
        const { access_token: value, expires_in: seconds = 3600 } = answer.json
        const isFirst = this.#token === undefined
        this.#token = { value, until: Date.now() + (seconds * 900) / speed }
        if (isFirst) this.#onFirstToken()
        return
      }
      await sleep(Math.max(answer.retryAfter, Math.min(1000 * 2 ** attempt, 30_000) * spread()))
    }
  }

  /**
   * One call, tried again with the same id while it fails for a time. Resolves with what was answered finally; rejects
   * with Failed after the last attempt, and with Withdrawn as soon as it is not wanted any more.
   */
  async call(kind, method, path, options = {}) {
    const { body, requestId = randomUUID(), wanted = () => true, headers = {} } = options
    const { attempts, pause: pauseOf, isTemporary, obeysRetryAfter, renews } = this.#policy
    let renewed = false
    for (let attempt = 0; ; attempt++) {
      for (let wait = 1; wait > 0;) {
        wait = (this.#notBefore.get(kind) ?? 0) - Date.now()
        if (wait > 0) await pause(wait)
      }
      const token = await this.#bearer()
      if (!wanted()) throw new Withdrawn(kind)
      // Merchants and webhooks are no operations of a capability: they are below the root.
      const base = /^\/(merchants|webhooks)/.test(path) ? this.#root : this.base
      const answer = await exchange(`${base}${path}`, {
        method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          'x-request-id': requestId,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (answer.status === 401 && renews) {
        if (this.#token.value === token) this.#token.until = 0
        if (!renewed) {
          renewed = true
          attempt--
          continue
        }
      } else if (!isTemporary(answer.status)) return answer
      if (obeysRetryAfter && answer.retryAfter > 0)
        this.#notBefore.set(kind, Date.now() + answer.retryAfter / speed)
      if (attempt + 1 >= (options.attempts ?? attempts))
        throw new Failed(`${kind}: ${answer.status}`)
      await sleep(pauseOf(attempt))
    }
  }
}

/** What came back; status 0 when nothing did. */
async function exchange(url, init) {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
    const text = await response.text()
    const json = text === '' ? undefined : JSON.parse(text)
    return { status: response.status, json, retryAfter: retryAfterMs(response.headers) }
  } catch {
    return { status: 0, json: undefined, retryAfter: 0 }
  }
}

// ---- the server ------------------------------------------------------------------------------------------------------

/** A refusal, with the error body of the documents (TRN-ERB-01). */
export class Refusal extends Error {
  constructor(status, code, message, retryable = status === 429 || status >= 500) {
    super(message)
    this.status = status
    this.body = { error: { code, message, retryable } }
  }
}
export const notFound = (what) => new Refusal(404, 'NOT_FOUND', `there is no ${what}`)

const tokenSeconds = 3600
const sealOf = (text) => createHmac('sha256', `token of ${secret}`).update(text).digest('hex')

/** Who got a token, with its scopes; tokens outlive a restart, since nothing is stored about them. */
function tokenOf(request) {
  const [, text, seal] = /^Bearer ([\w-]+)\.(\w+)$/i.exec(request.headers.authorization ?? '') ?? []
  return seal !== undefined && sealOf(text) === seal
    ? JSON.parse(Buffer.from(text, 'base64url').toString())
    : undefined
}

function issueToken(raw, type, clients) {
  const form = type?.includes('json')
    ? parsed(raw)
    : Object.fromEntries(new URLSearchParams(raw.toString()))
  const { client_id: id, client_secret: known, scope = '' } = form
  if (!id || clients[id] !== known)
    throw new Refusal(401, 'UNAUTHORIZED', 'client_id or client_secret is wrong')
  const scopes = scope.split(' ').filter(Boolean)
  const until = Date.now() + tokenSeconds * 1000
  const text = Buffer.from(JSON.stringify({ client: id, scopes, until, nonce: randomUUID() }))
  const encoded = text.toString('base64url')
  const value = `${encoded}.${sealOf(encoded)}`
  const issued = { access_token: value, token_type: 'bearer', expires_in: tokenSeconds }
  return [200, scope === '' ? issued : { ...issued, scope }]
}

/** 401 without a valid token, 403 with one that has none of these scopes. */
export function requireScope(request, ...scopes) {
  const token = tokenOf(request)
  if (token === undefined || token.until < Date.now())
    throw new Refusal(401, 'UNAUTHORIZED', 'the token is missing, unknown or expired')
  const hasScope = [...scopes, 'proto.all'].some((each) => token.scopes.includes(each))
  if (!hasScope) throw new Refusal(403, 'FORBIDDEN', `the token lacks ${scopes.join(' or ')}`)
  return token.client
}

/** The signature of a webhook: HMAC-SHA256 of the body's bytes, in hex. */
const signatureOf = (bytes) => createHmac('sha256', secret).update(bytes).digest('hex')

export const webhookHeaders = (body, merchantId) => ({
  'x-app-id': randomUUID(),
  'x-app-merchantid': merchantId,
  'x-app-signature': signatureOf(JSON.stringify(body)),
})

export function requireSignature(request, raw) {
  const expected = Buffer.from(signatureOf(raw), 'hex')
  const actual = Buffer.from(String(request.headers['x-app-signature'] ?? ''), 'hex')
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw new Refusal(401, 'UNAUTHORIZED', 'X-App-Signature does not fit the body')
}

function parsed(raw) {
  try {
    const value = JSON.parse(raw.toString())
    if (value !== null && typeof value === 'object') return value
  } catch {
    // Answered below.
  }
  throw new Refusal(400, 'INVALID_PAYLOAD', 'the body is no JSON object')
}

/**
 * Rows of [method, path with :names, handler]; a handler gets the names, the query, the body and the request, and returns
 * [status, body]. Serves the manifest, tokens and merchants as well.
 */
export async function serve({ manifest, clients, scopes, merchants = [], rows, isFlat }) {
  const table = [
    [
      'POST',
      '/oauth/token',
      ({ raw, request }) => issueToken(raw, request.headers['content-type'], clients),
    ],
    [
      'GET',
      '/merchants',
      ({ request }) => {
        requireScope(request, ...scopes)
        const pagination = { page: 1, pageSize: 50, totalItems: merchants.length, totalPages: 1 }
        return [200, { merchants, pagination }]
      },
    ],
    ...rows,
  ].map(([method, path, handler]) => {
    const pattern = path.replaceAll(/:(\w+)(?=\/|$)/g, '(?<$1>[^/]+)')
    return { method, pattern: new RegExp(`^${pattern}$`), handler }
  })
  const server = createServer((request, response) => {
    void answer(request)
      .catch((error) => {
        if (error instanceof Refusal) return [error.status, isFlat ? error.body.error : error.body]
        process.stderr.write(`${error.stack}\n`)
        const { body } = new Refusal(500, 'INTERNAL_ERROR', 'this should not happen')
        return [500, body]
      })
      .then(([status, body, headers = {}]) => {
        const type = body === undefined ? {} : { 'content-type': 'application/json' }
        response.writeHead(status, { ...type, ...headers })
        response.end(body === undefined ? undefined : JSON.stringify(body))
      })
  })
  async function answer(request) {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    const { pathname, searchParams: query } = new URL(request.url, 'http://localhost')
    if (request.method === 'GET' && pathname === '/.well-known/protocol') {
      const open = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' }
      return [200, manifest(`http://127.0.0.1:${server.address().port}`), open]
    }
    for (const { method, pattern, handler } of table) {
      const match = pattern.exec(decodeURIComponent(pathname))
      if (method !== request.method || !match) continue
      const body = () => parsed(raw)
      return await handler({ ...match.groups, query, raw, request, body })
    }
    throw notFound(`${request.method} ${pathname}`)
  }
  await new Promise((resolve) => server.listen(Number(env.PORT ?? 3000), '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}`
  process.stdout.write(`ready ${url}\n`)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0))
  return url
}

/** What is kept about a record beside its document is not shown. */
export const without = (record, ...keys) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))

export const manifestOf = (participantId, capabilities) => ({
  participantId,
  protocolVersion: 'v2',
  protocol: { supportedVersions: ['v2'] },
  authentication: { supportedGrantTypes: ['client_credentials'], clientIdGeneration: ['by_app'] },
  capabilities,
})
