/**
 * A remote participant: discovered by its manifest (retried until present and valid) and called only afterwards, with
 * one
 * token for all calls. Keeps the list of merchants that we are authorized for.
 */
import { z } from 'zod'
import { createCaller, type Caller } from './caller.ts'
import type { Clock } from './clock.ts'
import type { Wrong } from './defects.ts'
import type { Life } from './life.ts'
import { type Declared, readManifest } from './manifest.ts'
import type { Pace } from './pace.ts'
import { freshPatience, type Patience } from './patience.ts'
import { retryAfterMs } from './retry-after.ts'
import type { Send } from './send.ts'
import { createTokens, type Credentials } from './tokens.ts'

export interface Partner extends Caller {
  /** The declared capability, discovered on first use; undefined when the service stopped before. */
  readonly declared: () => Promise<Declared | undefined>
  /** Whether we are authorized for a merchant; true for all until the partner lists merchants. */
  readonly serves: (merchantId: string) => boolean
  readonly merchants: () => readonly Merchant[]
}

export interface Merchant {
  readonly id: string
  readonly name: string
}

export interface PartnerParts {
  readonly url: string
  readonly capability: 'orders' | 'indoor' | 'logistics'
  /** The side of the capability that the partner plays. */
  readonly side: 'originator' | 'receiver'
  /** Last segment of /.well-known/. */
  readonly protocol: string
  readonly credentials: Credentials
  readonly scope: string
  readonly send: Send
  readonly clock: Clock
  readonly life: Life
  readonly pace: Pace
  readonly wrong: Wrong
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
  const bell = life.bell()
  let endpoint = root
  let merchants: readonly Merchant[] = []

  // Tokens come from the root URL of the partner; `endpoint` is only the base of one capability.
  const tokens = createTokens({ ...parts, url: () => root })
  const timed: Send = (sending) =>
    send(wrong('no-client-timeout') ? { ...sending, timeoutMs: Number.POSITIVE_INFINITY } : sending)
  const caller = createCaller({ ...parts, send: timed, base: () => endpoint, tokens })
  const atRoot = createCaller({ ...parts, send: timed, base: () => root, tokens })

  /** Instant (ms) before which Retry-After forbids another manifest request. */
  let openAt = 0

  async function readManifestOnce(): Promise<Declared | string> {
    const answer = await send({
      method: 'GET',
      url: `${root}/.well-known/${protocol}`,
      headers: { accept: 'application/json' },
    })
    if (!answer) return 'nobody answers'
    openAt = clock.now() + (retryAfterMs(answer, clock) ?? 0)
    if (answer.status !== 200) return `GET answers ${answer.status}`
    const read = readManifest(answer.json, capability, side)
    return 'problem' in read ? read.problem : read.declared
  }

  async function find(): Promise<Declared | undefined> {
    for (let pauseMs = pace.retryMs; life.running(); pauseMs *= 2) {
      const read = await readManifestOnce()
      if (typeof read !== 'string') {
        endpoint = read.endpoint ?? root
        return read
      }
      parts.complain(`the manifest of ${root} will not do: ${read}`)
      await bell.wait(Math.max(Math.min(pauseMs, longestPauseMs), openAt - clock.now()))
    }
    return undefined
  }

  /** Reads all merchant pages; returns whether the list is settled. */
  async function readMerchants(patience: Patience): Promise<boolean> {
    const all: Merchant[] = []
    for (let page = 1; page <= maxPages; page++) {
      const path = `/merchants?page=${page}&pageSize=200`
      const outcome = await atRoot.insist(
        { operation: 'listMerchants', method: 'GET', path },
        { patience },
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
    const patience = freshPatience()
    if (await readMerchants(patience)) return
    life.go(async () => {
      while (life.running() && !(await readMerchants(patience)));
    })
  }

  let found: Promise<Declared | undefined> | undefined

  async function discoverPartner(): Promise<Declared | undefined> {
    const declared = await find()
    if (declared) await learnMerchants()
    return life.running() ? declared : undefined
  }

  return {
    ...caller,
    declared: () => (found ??= discoverPartner()),
    merchants: () => merchants,
    serves: (merchantId) => merchants.length === 0 || merchants.some(({ id }) => id === merchantId),
  }
}
