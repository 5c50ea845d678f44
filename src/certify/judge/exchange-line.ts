/** An exchange as one line: who called whom, what, and the answer. */
import { shortRoleName } from '../../core/protocol/role.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'

/** `#12 SS > OA POST /orders/o-1/confirm 202`. */
export function tracedExchangeLine({ seq, from, to, request, reply, failure }: Exchange): string {
  const { pathname, search } = new URL(request.url)
  const ended = reply ? String(reply.status) : (failure?.code ?? 'no reply')
  return `#${seq} ${shortRoleName[from.role]} > ${shortRoleName[to.role]} ${request.method} ${pathname}${search} ${ended}`
}
