/**
 * A judge that is fed hand-made exchanges: for behaviour that no available service shows, such as the edge cases of
 * rules about retries.
 */
import { compact } from '../../src/compact.ts'
import type { Verdict } from '../../src/invariants/verdict.ts'
import { operation as rowOf, type OperationId } from '../../src/protocol/catalogue.ts'
import { createTestJudge } from './judge-fixture.ts'
import { noon } from './transcript.ts'

/** A call of the subject; `at` is in milliseconds after noon. */
export interface ScriptedCall {
  readonly at: number
  /** Duration in ms. */
  readonly took?: number
  readonly operation: OperationId
  readonly order?: string
  /** The query string: `?identifier=12`. */
  readonly query?: string
  readonly token?: string
  readonly body?: unknown
  /** 0 without reply. */
  readonly status: number
  readonly retryAfter?: string
  readonly answer?: unknown
  /** Name of the fault that distorted it. */
  readonly fault?: string
}

interface Hearing {
  readonly call: (call: ScriptedCall) => Hearing
  readonly verdict: (id: string) => Pick<Verdict, 'outcome' | 'premises'> & {
    readonly reported: readonly string[]
  }
}

export function createScriptedJudge(): Hearing {
  let now = noon
  let seq = 0
  const judge = createTestJudge({ now: () => now })
  const scripted: Hearing = {
    call({
      at,
      took = 0,
      operation,
      order,
      query = '',
      token = 't1',
      body,
      status,
      retryAfter,
      answer,
      fault,
    }) {
      const { method, path } = rowOf(operation)
      const began = noon + at
      const ended = began + took
      now = Math.max(now, ended)
      const text = (value: unknown) =>
        value === undefined
          ? {}
          : { body: typeof value === 'string' ? value : JSON.stringify(value) }
      judge.exchange(
        {
          seq: ++seq,
          startedAt: began,
          tookMs: took,
          from: { role: 'software-service', party: 'subject' },
          to: { role: 'ordering-application', party: 'sparring' },
          operation,
          ...(order === undefined ? {} : { orderId: order, params: { orderId: order } }),
          request: {
            method,
            url: `http://oa.test${path.replace('{orderId}', order ?? '')}${query}`,
            headers: [['Authorization', `Bearer ${token}`]],
            ...text(body),
          },
          ...(status === 0
            ? { failure: { code: 'HUNG', message: 'no answer came' } }
            : {
                reply: {
                  status,
                  headers: retryAfter === undefined ? [] : [['retry-after', retryAfter]],
                  ...text(answer),
                },
              }),
          ...compact({ fault }),
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
