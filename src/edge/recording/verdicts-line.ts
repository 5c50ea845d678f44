/** The line of the verdicts, as a recording holds it: their sentences redacted like everything else, and evidence by its place there. */
import type { RecordedVerdict } from '../../traffic/recording/format.ts'
import { formatVerdictsLine, type LinePosition } from '../../traffic/recording/recording-lines.ts'
import type { Redactor } from '../../traffic/redaction/redactor.ts'

/** `before` is the number of exchanges that the recording had before this session. */
export function verdictsLine(
  position: LinePosition,
  verdicts: readonly RecordedVerdict[],
  redactor: Redactor | undefined,
  before: number,
): string {
  const redacted = (text: string): string => {
    const message = redactor?.message(text, 'verdict').value ?? text
    return redactor?.replaceKnown(message).value ?? message
  }
  const redactedVerdicts = verdicts.map((verdict) => ({
    ...verdict,
    findings: verdict.findings.map(({ orderId, ...finding }) => ({
      ...finding,
      because: redacted(finding.because),
      evidence: finding.evidence.map((seq) => seq + before),
      ...(orderId === undefined ? {} : { orderId: redactor?.id(orderId) ?? orderId }),
    })),
  }))
  return formatVerdictsLine(position, redactedVerdicts)
}
