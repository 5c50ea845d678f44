/**
 * Somebody on the other side of the wire: found by the manifest, which is asked for until it is there and valid, and
 * called only after that. One token for all calls, and the merchants that we are authorized for there.
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
  /** What it declares, looked for when it is first asked for; undefined when the service ended before it was there. */
  readonly declared: () => Promise<Declared | undefined>
  /** Whether we may work for a merchant there. Yes, as long as the partner has not said whom we may work for. */
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
  /** The part that it plays in that capability. */
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
  /** Hears why a manifest would not do. */
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

/** Pages of merchants at most: somebody with more has a counter that is broken. */
const mostPages = 100

/** The longest pause between two looks for a manifest. */
const longestPauseMs = 30_000

export function createPartner(parts: PartnerParts): Partner {
  const { capability, side, protocol, send, clock, life, pace, wrong } = parts
  const root = parts.url.replace(/\/+$/, '')
  const bell = life.bell()
  let endpoint = root
  let merchants: readonly Merchant[] = []

  // Tokens come from the partner's own address: an endpoint is the base of the paths of one capability.
  const tokens = createTokens({ ...parts, url: () => root })
  const timed: Send = (sending) =>
    send(wrong('no-client-timeout') ? { ...sending, timeoutMs: Number.POSITIVE_INFINITY } : sending)
  const caller = createCaller({ ...parts, send: timed, base: () => endpoint, tokens })
  const atRoot = createCaller({ ...parts, send: timed, base: () => root, tokens })

  /** When the partner may be asked for its manifest again, by what it said. */
  let openAt = 0

  async function look(): Promise<Declared | string> {
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
      const read = await look()
      if (typeof read !== 'string') {
        endpoint = read.endpoint ?? root
        return read
      }
      parts.complain(`the manifest of ${root} will not do: ${read}`)
      await bell.wait(Math.max(Math.min(pauseMs, longestPauseMs), openAt - clock.now()))
    }
    return undefined
  }

  /** All that the partner lists, page by page. Answers whether that is settled. */
  async function readMerchants(patience: Patience): Promise<boolean> {
    const all: Merchant[] = []
    for (let page = 1; page <= mostPages; page++) {
      const path = `/merchants?page=${page}&pageSize=200`
      const outcome = await atRoot.insist(
        { operation: 'listMerchants', method: 'GET', path },
        { patience },
      )
      // A partner may do without the list: then nobody is excluded.
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

  async function getAcquainted(): Promise<Declared | undefined> {
    const declared = await find()
    if (declared) await learnMerchants()
    return life.running() ? declared : undefined
  }

  return {
    ...caller,
    declared: () => (found ??= getAcquainted()),
    merchants: () => merchants,
    serves: (merchantId) => merchants.length === 0 || merchants.some(({ id }) => id === merchantId),
  }
}
