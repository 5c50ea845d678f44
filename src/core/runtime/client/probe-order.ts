/** Queries the subject for its own status of an order, where it offers a path for that. */
import { joinUrl } from '../../base/join-url.ts'
import { textMember } from '../../protocol/unknown-record.ts'
import { tryParseJson } from '../../traffic/json/try-parse-json.ts'
import type { Destination } from './destinations.ts'

export interface ProbedOrder {
  /** Undefined when the subject does not know the order, or its answer has no status. */
  readonly status: string | undefined
}

/** Undefined when the probe failed: no answer, or one that is neither 200 nor 404. */
export async function probeOrder(
  { base, transport }: Destination,
  path: string,
  orderId: string,
): Promise<ProbedOrder | undefined> {
  const url = joinUrl(base, path.replace('{orderId}', encodeURIComponent(orderId)))
  try {
    const { status, body } = await transport({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
    })
    if (status === 404) return { status: undefined }
    return status === 200 ? { status: textMember(tryParseJson(body), 'status') } : undefined
  } catch {
    return undefined
  }
}
