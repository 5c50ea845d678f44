/**
 * A remote participant: discovered by its manifest (retried until present and valid) and called only afterwards, with
 * one token for all calls. Keeps the list of merchants that we are authorized for.
 */
import { z } from 'zod'
import { Caller } from './caller.ts'
import { createRetryState, type RetryState } from './retry-state.ts'
import { retryAfterMs } from './retry-after.ts'
import type { Send } from './send.ts'
import { createTokenCache, type TokenCacheParts } from './token-cache.ts'

/** Reads one capability from a partner manifest, in either notation of the protocol, or says why it cannot be used. */
const Side = z.looseObject({
  supported: z.boolean().default(true),
  supportsWebhook: z.boolean().optional(),
  supportsPolling: z.boolean().optional(),
})

const Declaration = z.looseObject({
  supported: z.boolean().default(true),
  role: z.enum(['ORIGINATOR', 'RECEIVER', 'BOTH']).optional(),
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  trackingMode: z.enum(['push', 'pull']).optional(),
  originator: Side.optional(),
  receiver: Side.optional(),
})

const Manifest = z.looseObject({
  participantId: z.string().min(1),
  protocolVersion: z.string().min(1),
  protocol: z.looseObject({ supportedVersions: z.array(z.string()).min(1) }),
  authentication: z.looseObject({
    supportedGrantTypes: z.array(z.string()).min(1),
    clientIdGeneration: z.array(z.enum(['by_app', 'by_merchant'])).min(1),
  }),
  capabilities: z.union([
    z.array(Declaration.extend({ name: z.string() })),
    z.record(z.string(), Declaration),
  ]),
})

interface DeclaredCapability {
  /** The base URL of the capability; absent when the manifest declares none. */
  readonly endpoint?: string
  readonly supportsPolling: boolean
  readonly supportsWebhook: boolean
  readonly trackingMode?: 'push' | 'pull'
}

type ManifestResult = { readonly declared: DeclaredCapability } | { readonly problem: string }

/** Supported protocol versions: any release of V2. */
const isSupportedVersion = (version: string): boolean => /^v?2(\.|$)/i.test(version.trim())

function readManifest(
  value: unknown,
  capability: string,
  side: 'originator' | 'receiver',
): ManifestResult {
  const read = Manifest.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    return { problem: `wrong at ${issue?.path.join('.') || 'its root'}: ${issue?.message}` }
  }
  const { capabilities, protocol, authentication } = read.data
  if (!protocol.supportedVersions.some(isSupportedVersion)) return { problem: 'no common version' }
  if (!authentication.supportedGrantTypes.includes('client_credentials'))
    return { problem: 'no way to a token that we know' }
  const declaration = Array.isArray(capabilities)
    ? capabilities.find(({ name }) => name === capability)
    : capabilities[capability]
  const block = declaration?.[side]
  if (!declaration?.supported || block?.supported === false)
    return { problem: `no ${capability} as ${side}` }
  const { endpoint, baseUrl, trackingMode } = declaration
  const base = capability === 'logistics' ? (baseUrl ?? endpoint) : (endpoint ?? baseUrl)
  return {
    declared: {
      ...(base === undefined ? {} : { endpoint: base.replace(/\/+$/, '') }),
      supportsPolling: block?.supportsPolling ?? true,
      supportsWebhook: block?.supportsWebhook ?? true,
      ...(trackingMode ? { trackingMode } : {}),
    },
  }
}

export interface Partner extends Pick<Caller, 'callWithRetry'> {
  /** The declared capability, discovered on first use; undefined when the service stopped before. */
  readonly discover: () => Promise<DeclaredCapability | undefined>
  /** Whether we are authorized for a merchant; true for all until the partner lists merchants. */
  readonly serves: (merchantId: string) => boolean
  readonly merchants: () => readonly Merchant[]
}

export interface Merchant {
  readonly id: string
  readonly name: string
}

export interface PartnerParts extends Omit<TokenCacheParts, 'url'> {
  readonly url: string
  readonly capability: 'orders' | 'indoor' | 'logistics'
  /** The side of the capability that the partner plays. */
  readonly side: 'originator' | 'receiver'
  /** Last segment of /.well-known/. */
  readonly protocol: string
  /** Receives the reason why a manifest cannot be used. */
  readonly complain: (sentence: string) => void
}

const Row = z
  .looseObject({
    id: z.string().optional(),
    merchantId: z.string().optional(),
    name: z.string().default(''),
  })
  .transform(({ id, merchantId, name }) => ({ id: merchantId ?? id ?? '', name }))
const Rows = z.array(Row)
const Pages = z.looseObject({ totalPages: z.number().default(1) }).prefault({})
const Merchants = z.union([
  Rows.transform((merchants) => ({ merchants, pagination: { totalPages: 1 } })),
  z.looseObject({ merchants: Rows, pagination: Pages }),
])

/** Maximum number of merchant pages, a guard against endless pagination. */
const maxPages = 100

/** Longest pause between two manifest requests, in ms. */
const longestPauseMs = 30_000

export function createPartner(parts: PartnerParts): Partner {
  const { capability, side, protocol, send, clock, life, pace, wrong } = parts
  const root = parts.url.replace(/\/+$/, '')
  const bell = life.createSignal()
  let endpoint = root
  let merchants: readonly Merchant[] = []

  // Tokens come from the root URL of the partner; `endpoint` is only the base of one capability.
  const tokens = createTokenCache({ ...parts, url: () => root })
  const timed: Send = (sending) =>
    send(wrong('no-client-timeout') ? { ...sending, timeoutMs: Number.POSITIVE_INFINITY } : sending)
  const caller = new Caller({ ...parts, send: timed, base: () => endpoint, tokens })
  const atRoot = new Caller({ ...parts, send: timed, base: () => root, tokens })

  /** Instant (ms) before which Retry-After forbids another manifest request. */
  let openAt = 0

  async function readManifestOnce(): Promise<DeclaredCapability | string> {
    const answer = await send({
      method: 'GET',
      url: `${root}/.well-known/${protocol}`,
      headers: { accept: 'application/json' },
    })
    if (!answer) return 'no answer'
    openAt = clock.now() + (retryAfterMs(answer, clock) ?? 0)
    if (answer.status !== 200) return `GET answers ${answer.status}`
    const read = readManifest(answer.json, capability, side)
    return 'problem' in read ? read.problem : read.declared
  }

  async function find(): Promise<DeclaredCapability | undefined> {
    for (let pauseMs = pace.retryMs; life.isRunning(); pauseMs *= 2) {
      const read = await readManifestOnce()
      if (typeof read !== 'string') {
        endpoint = read.endpoint ?? root
        return read
      }
      parts.complain(`the manifest of ${root} cannot be used: ${read}`)
      await bell.wait(Math.max(Math.min(pauseMs, longestPauseMs), openAt - clock.now()))
    }
    return undefined
  }

  /** Reads all merchant pages; returns whether the list is settled. */
  async function readMerchants(retry: RetryState): Promise<boolean> {
    const all: Merchant[] = []
    for (let page = 1; page <= maxPages; page++) {
      const path = `/merchants?page=${page}&pageSize=200`
      const outcome = await atRoot.callWithRetry(
        { operation: 'listMerchants', method: 'GET', path },
        { retry },
      )
      // The list is optional: without it no merchant is excluded.
      if (outcome.kind !== 'answered') return outcome.kind === 'refused'
      const read = Merchants.safeParse(outcome.answer.json)
      if (!read.success) return true
      all.push(...read.data.merchants)
      if (page >= read.data.pagination.totalPages) break
    }
    merchants = all
    return true
  }

  async function learnMerchants(): Promise<void> {
    const retry = createRetryState()
    if (await readMerchants(retry)) return
    life.runInBackground(async () => {
      while (life.isRunning() && !(await readMerchants(retry)));
    })
  }

  let found: Promise<DeclaredCapability | undefined> | undefined

  async function discoverPartner(): Promise<DeclaredCapability | undefined> {
    const declared = await find()
    if (declared) await learnMerchants()
    return life.isRunning() ? declared : undefined
  }

  return {
    callWithRetry: (call, retrying) => caller.callWithRetry(call, retrying),
    discover: () => (found ??= discoverPartner()),
    merchants: () => merchants,
    serves: (merchantId) => merchants.length === 0 || merchants.some(({ id }) => id === merchantId),
  }
}
