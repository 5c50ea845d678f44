/** Queries the subject for what it says itself of an order, where it offers a path for that: its status, its effects. */
import { joinUrl } from '../../base/join-url.ts'
import { textMember } from '../../protocol/unknown-record.ts'
import { tryParseJson } from '../../traffic/json/try-parse-json.ts'
import type { InboundReply } from '../server/messages.ts'
import type { Destination } from './destinations.ts'

export interface ProbedOrder {
  /** Undefined when the subject does not know the order, or its answer has no status. */
  readonly status: string | undefined
}

/** GET of a path of the subject, for this order. */
export const probe = (
  { base, transport }: Pick<Destination, 'base' | 'transport'>,
  path: string,
  orderId: string,
): Promise<InboundReply> =>
  transport({
    method: 'GET',
    url: joinUrl(base, path.replaceAll('{orderId}', encodeURIComponent(orderId))),
    headers: { accept: 'application/json' },
  })

/** Undefined when the probe failed: no answer, or one that is neither 200 nor 404. */
export async function probeOrder(
  target: Destination,
  path: string,
  orderId: string,
): Promise<ProbedOrder | undefined> {
  try {
    const { status, body } = await probe(target, path, orderId)
    if (status === 404) return { status: undefined }
    return status === 200 ? { status: textMember(tryParseJson(body), 'status') } : undefined
  } catch {
    return undefined
  }
}
