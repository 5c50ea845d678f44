/** Evidence that formats its line on demand. */
import { clockOf, type Instant } from '../../engine/instant.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import { shortName } from '../../protocol/role.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { CallEvidence } from '../tracking/order-snapshot.ts'

function pathOf(url: string): string {
  const at = url.indexOf('/', url.indexOf('//') + 2)
  return at === -1 ? '/' : url.slice(at)
}

/** Many are retained and few are read, so it holds only the parts of its line and formats them on demand. */
export class LazyEvidence implements CallEvidence {
  readonly seq: number
  readonly at: Instant
  readonly operation: OperationId | undefined
  readonly #asker: string
  readonly #asked: string
  readonly #method: string
  readonly #url: string
  readonly #end: string | number | undefined

  constructor({ seq, operation, from, to, request, reply, failure }: Exchange, at: Instant) {
    this.seq = seq
    this.at = at
    this.operation = operation
    this.#asker = shortName[from.role]
    this.#asked = shortName[to.role]
    this.#method = request.method
    this.#url = request.url
    this.#end = reply ? reply.status : failure?.code
  }

  get line(): string {
    const call = `${this.#method} ${pathOf(this.#url)}`
    return `${clockOf(this.at)}  ${this.#asker} > ${this.#asked}  ${call}  ${this.#end ?? 'no answer'}`
  }
}
