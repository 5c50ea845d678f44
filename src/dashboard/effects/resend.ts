/** Sends an exchange of a live session again. */
import type { SessionApi } from '../../session-api/session-api.ts'
import { resentText } from '../../traffic/resend.ts'
import type { Message } from '../model/message.ts'
import { noticeMessage, refusalMessage } from './notice.ts'

export async function resendExchange(
  session: SessionApi,
  original: number,
): Promise<readonly Message[]> {
  const sent = await session.resend(original)
  if (!sent.ok) return [refusalMessage(sent.error)]
  const { seq, status } = sent.value
  const isFailed = status === undefined || status >= 400
  const notice = noticeMessage(resentText(sent.value), isFailed ? 'warn' : 'ok')
  return seq === undefined ? [notice] : [{ kind: 'resent', original, seq }, notice]
}
