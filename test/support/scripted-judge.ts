/**
 * A judge that is fed hand-made facts and exchanges on a clock of its own: for behaviour that no available service shows,
 * such as the edge cases of rules about retries.
 */
import { compact } from '../../src/core/base/compact.ts'
import type { Engine } from '../../src/core/engine/engine.ts'
import { apply, type Fact } from '../../src/core/engine/fact.ts'
import type { FactOrigin } from '../../src/core/engine/journal.ts'
import type { Invariant } from '../../src/core/rules/invariants/invariant.ts'
import type { Judge } from '../../src/core/rules/invariants/judge/judge.ts'
import type { LagSource } from '../../src/core/rules/invariants/tracking/timing.ts'
import type { Verdict } from '../../src/core/rules/invariants/verdict.ts'
import type { World } from '../../src/core/engine/world.ts'
import type { Role } from '../../src/core/protocol/role.ts'
import { operation as rowOf, type OperationId } from '../../src/core/protocol/catalogue.ts'
import type { HeaderPairs } from '../../src/core/traffic/exchange.ts'
import { createdFacts } from './created-facts.ts'
import { createTestJudge, type JudgeFixtureOptions } from './judge-fixture.ts'
import { noon, transcript } from './transcript.ts'

/** A call of the subject to the Ordering Application. */
export interface ScriptedCall {
  /** Milliseconds after noon; now when absent. */
  readonly at?: number
  /** Duration in ms. */
  readonly took?: number
  /** A call of Sparring to the subject instead. */
  readonly by?: 'sparring'
  /** The role that is called; the Ordering Application when absent. */
  readonly to?: Role
  readonly operation: OperationId
  readonly order?: string
  /** Scheme and host of the URL. */
  readonly origin?: string
  /** The query string: `?identifier=12`. */
  readonly query?: string
  readonly token?: string
  readonly headers?: HeaderPairs
  /** The request body; a string is sent verbatim. */
  readonly body?: unknown
  /** 200 when absent, 0 without reply. */
  readonly status?: number
  /** Why there is no reply, or an incomplete one: `HUNG` when absent. */
  readonly failure?: string
  readonly retryAfter?: string
  readonly answer?: unknown
  /** The events that the host knows to be in it. */
  readonly eventIds?: readonly string[]
  /** Name of the fault that distorted it. */
  readonly fault?: string
}

export interface ScriptedJudgeOptions {
  readonly invariants?: readonly Invariant[]
  readonly lag?: LagSource
  readonly merchants?: Engine['settings']['merchants']
  readonly conduct?: Partial<Engine['settings']['conduct']> | undefined
  readonly limits?: JudgeFixtureOptions['limits']
}

export interface ScriptedJudge {
  readonly judge: Judge
  readonly world: World
  /** Advances the time by `ms`. */
  readonly pass: (ms: number) => ScriptedJudge
  readonly tell: (fact: Fact, by?: FactOrigin) => ScriptedJudge
  /** An order of which only CREATED is known. */
  readonly created: (orderId: string) => ScriptedJudge
  readonly call: (call: ScriptedCall) => ScriptedJudge
  readonly verdict: (id: string) => Pick<Verdict, 'outcome' | 'premises'> & {
    readonly reported: readonly string[]
  }
}

const service = { role: 'software-service', party: 'subject' } as const
const partner = { role: 'ordering-application', party: 'sparring' } as const

const bodyOf = (value: unknown) =>
  value === undefined ? {} : { body: typeof value === 'string' ? value : JSON.stringify(value) }

export function createScriptedJudge({
  invariants,
  lag,
  merchants,
  conduct,
  limits,
}: ScriptedJudgeOptions = {}): ScriptedJudge {
  const { engine } = transcript()
  const { world } = engine
  let now = noon
  let seq = 0
  const judge = createTestJudge({
    engine: {
      ...engine,
      settings: {
        ...engine.settings,
        ...compact({ merchants }),
        conduct: { ...engine.settings.conduct, ...conduct },
      },
    },
    now: () => now,
    ...compact({ invariants, lag, limits }),
  })
  const scripted: ScriptedJudge = {
    judge,
    world,
    pass(ms) {
      now += ms
      return scripted
    },
    tell(fact, by = 'session') {
      apply(world, fact, now)
      judge.fact({ seq: ++seq, at: now, by, cause: 0, fact })
      return scripted
    },
    created(orderId) {
      for (const fact of createdFacts(orderId)) scripted.tell(fact)
      return scripted
    },
    call({ at, took = 0, by, to, operation, order, status = 200, failure, ...rest }) {
      const {
        origin = 'http://oa.test',
        query = '',
        token = 't1',
        headers = [],
        body,
        retryAfter,
        answer,
        ...more
      } = rest
      const { method, path } = rowOf(operation)
      const began = at === undefined ? now : noon + at
      const ended = began + took
      now = Math.max(now, ended)
      const host = to === undefined ? partner : { ...partner, role: to }
      judge.exchange(
        {
          seq: ++seq,
          startedAt: began,
          tookMs: took,
          from: by ? host : service,
          to: by ? service : host,
          operation,
          ...(order === undefined ? {} : { orderId: order, params: { orderId: order } }),
          request: {
            method,
            url: `${origin}${path.replace('{orderId}', order ?? '')}${query}`,
            headers: [['Authorization', `Bearer ${token}`], ...headers],
            ...bodyOf(body),
          },
          ...(status === 0 || failure !== undefined
            ? { failure: { code: failure ?? 'HUNG', message: 'no answer came' } }
            : {}),
          ...(status === 0
            ? {}
            : {
                reply: {
                  status,
                  headers: retryAfter === undefined ? [] : [['retry-after', retryAfter]],
                  ...bodyOf(answer),
                },
              }),
          ...more,
        },
        { began, ended },
      )
      return scripted
    },
    verdict(id) {
      const found = judge.verdicts().find((each) => each.id === id)
      if (!found) throw new Error(`there is no invariant ${id}`)
      const { outcome, premises, findings } = found
      return { outcome, premises, reported: findings.map(({ because }) => because) }
    },
  }
  return scripted
}
