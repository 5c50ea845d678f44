/**
 * Load on the Ordering Application of a session: polls and reads with a token at a given rate over keep-alive
 * connections. Bounded in duration, calls in flight and consecutive failures.
 *
 * `load` runs in the process of the test and reports each reply; `startLoad` runs in a process of its own, for tests
 * that
 * measure.
 */
import { spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

export interface LoadOptions {
  /** The base URL of the Ordering Application. */
  readonly url: string
  readonly perSecond: number
  /** Duration in ms. */
  readonly forMs: number
  /** Every other call reads this order; without it all calls poll. */
  readonly orderId?: string
}

interface Answer {
  /** Unique mark in the URL of the call. */
  readonly mark: string
  readonly status: number
  /** Instant of the last byte, by `performance.now`. */
  readonly at: number
}

interface Watching {
  readonly onAnswer?: (answer: Answer) => void
  readonly signal?: AbortSignal
}

export interface LoadResult {
  readonly answered: number
  /** Replies other than 2xx. */
  readonly unsuccessful: number
  /** Calls without a complete reply. */
  readonly failed: number
  readonly tookMs: number
}

const maxInFlight = 64
const tickMs = 5
/** Consecutive failures after which the load stops. */
const enoughFailures = 20
const timeoutMs = 5000

interface Reply {
  readonly status: number
  readonly text: string
}

function call(
  url: string,
  { agent, method = 'GET', headers = {}, body = '' }: CallOptions,
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const sent = request(url, { agent, method, headers, timeout: timeoutMs }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (part: string) => (text += part))
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    response.on('error', reject)
  })
  sent.on('timeout', () => sent.destroy(new Error(`${url} did not answer in ${timeoutMs} ms`)))
  sent.on('error', reject)
  sent.end(body)
  return promise
}

interface CallOptions {
  readonly agent: Agent
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

async function tokenFrom(url: string, agent: Agent): Promise<string> {
  const { status, text } = await call(`${url}/oauth/token`, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: 'subject',
      client_secret: 'secret',
    }),
  })
  if (status !== 200) throw new Error(`no token from ${url}: ${status} ${text}`)
  return (JSON.parse(text) as { access_token: string }).access_token
}

export async function load(options: LoadOptions, watching: Watching = {}): Promise<LoadResult> {
  const { url, perSecond, forMs, orderId } = options
  const { onAnswer, signal } = watching
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const token = await tokenFrom(url, agent)
  const headers = { authorization: `Bearer ${token}` }
  const begun = performance.now()
  const ended = Promise.withResolvers<void>()
  let number = 0
  /** Number of calls due so far, made or not. */
  let due = 0
  let underWay = 0
  let answered = 0
  let unsuccessful = 0
  let failed = 0
  let failures = 0

  async function one(): Promise<void> {
    const mark = `m${++number}`
    const path =
      orderId === undefined || number % 2 === 0
        ? `/events:polling?mark=${mark}`
        : `/orders/${orderId}?mark=${mark}`
    underWay++
    try {
      const { status } = await call(`${url}${path}`, { agent, headers })
      answered++
      failures = 0
      if (status >= 300) unsuccessful++
      onAnswer?.({ mark, status, at: performance.now() })
    } catch {
      failed++
      failures++
    }
    underWay--
  }

  const timer = setInterval(() => {
    const passed = performance.now() - begun
    const gone = failures >= enoughFailures
    if (passed >= forMs || gone || signal?.aborted === true) {
      if (underWay === 0 || gone) ended.resolve()
      return
    }
    const now = Math.floor((passed * perSecond) / 1000)
    // Calls that a slow server missed are not made up for: that would be a burst.
    for (; due < now; due++) if (underWay < maxInFlight) void one()
  }, tickMs)
  await ended.promise
  clearInterval(timer)
  agent.destroy()
  return { answered, unsuccessful, failed, tookMs: performance.now() - begun }
}

export interface LoadProcess {
  /** Resolves with the first reply. */
  readonly begun: Promise<void>
  readonly ended: Promise<LoadResult>
  /** Ends it early; `ended` tells what there was. */
  readonly stop: () => void
  readonly kill: () => void
}

const own = fileURLToPath(import.meta.url)

/** The same, in a process of its own. */
export function startLoad(options: LoadOptions): LoadProcess {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const child = spawn(process.execPath, ['--import', tsx, own, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<LoadResult>()
  let text = ''
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString()
    if (text.includes('\n')) begun.resolve()
  })
  child.on('close', (code) => {
    const last = text.trim().split('\n').at(-1) ?? ''
    if (code === 0) return ended.resolve(JSON.parse(last) as LoadResult)
    const error = new Error(`the load ended with ${code}`)
    begun.reject(error)
    ended.reject(error)
  })
  // Both promises reject on failure; either may be unobserved.
  begun.promise.catch(() => undefined)
  ended.promise.catch(() => undefined)
  return {
    begun: begun.promise,
    ended: ended.promise,
    stop: () => void child.kill('SIGTERM'),
    kill: () => void child.kill('SIGKILL'),
  }
}

if (process.argv[1] === own) {
  let begun = false
  const stopped = new AbortController()
  process.once('SIGTERM', () => stopped.abort())
  const end = await load(JSON.parse(process.argv[2] ?? '{}') as LoadOptions, {
    signal: stopped.signal,
    onAnswer() {
      if (!begun) process.stdout.write('begun\n')
      begun = true
    },
  })
  process.stdout.write(`${JSON.stringify(end)}\n`)
}
