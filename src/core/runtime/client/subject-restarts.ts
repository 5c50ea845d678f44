/**
 * What is no answer of a service that we end and start again: none while its process is down or starts, and a 401 to a
 * token that the process before has issued.
 */
import { addBounded } from '../../engine/bounded.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { OutboundRequest } from '../server/messages.ts'

const maxTokens = 1000

type Headers = Pick<OutboundRequest, 'headers'>

export class SubjectRestarts {
  #isAway = false
  #isDown = false
  readonly #tokens = { before: new Set<string>(), since: new Set<string>() }

  constructor({ onFact }: Pick<Engine, 'onFact'>) {
    onFact(({ fact }) => {
      if (fact.kind === 'session.subject-ended') this.#isDown = true
      else if (fact.kind === 'session.subject-renewed') this.#begin()
      else return
      this.#isAway = true
    })
  }

  /** A call is sent: what its token is of is known, whatever becomes of the call. */
  sent({ headers: { authorization: token } }: Headers): void {
    const { before, since } = this.#tokens
    if (token !== undefined && !before.has(token)) addBounded(since, token, maxTokens)
  }

  /** Why it did not answer the call as it would have, for the label of the exchange. */
  excuseOf({ headers }: Headers, { reply }: Pick<Exchange, 'reply'>): string | undefined {
    if (!reply) return this.#isAway ? 'restart: your service is down' : undefined
    // What is asked to end may still answer.
    this.#isAway = this.#isDown
    return reply.status === 401 && this.#tokens.before.has(headers['authorization'] ?? '')
      ? 'restart: the token is of the process before'
      : undefined
  }

  #begin(): void {
    this.#isDown = false
    const { before, since } = this.#tokens
    for (const token of since) addBounded(before, token, maxTokens)
    since.clear()
  }
}
