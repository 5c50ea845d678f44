/** The line of the end of a session, as a recording holds it: sentences redacted like everything else, evidence by its place there. */
import type { SessionEnd } from '../../traffic/recording/session-end.ts'
import { formatSessionEndLine, type LinePosition } from '../../traffic/recording/recording-lines.ts'
import type { Redactor } from '../../traffic/redaction/redactor.ts'

/** `before` is the number of exchanges that the recording had before this session. */
export function sessionEndLine(
  position: LinePosition,
  { verdicts, faults, orders }: SessionEnd,
  redactor: Redactor | undefined,
  before: number,
): string {
  const redactedId = (id: string): string => redactor?.id(id) ?? id
  const redacted = (text: string): string => {
    const message = redactor?.message(text, 'verdict').value ?? text
    return redactor?.replaceKnown(message).value ?? message
  }
  return formatSessionEndLine(position, {
    verdicts: verdicts.map((verdict) => ({
      ...verdict,
      findings: verdict.findings.map(({ orderId, ...finding }) => ({
        ...finding,
        because: redacted(finding.because),
        evidence: finding.evidence.map((seq) => seq + before),
        ...(orderId === undefined ? {} : { orderId: redactedId(orderId) }),
      })),
    })),
    faults: faults.map((fault) => ({ ...fault, text: redacted(fault.text) })),
    orders: orders.map((order) => ({ ...order, orderId: redactedId(order.orderId) })),
  })
}
