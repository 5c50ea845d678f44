/** Notices: results of key presses, shown in the footer. */
import type { Refusal } from '../../../core/engine/refusal.ts'
import type { Message } from '../model/message.ts'
import type { Tone } from '../view/text/row.ts'

export const noticeMessage = (text: string, tone: Tone = 'plain'): Message => ({
  kind: 'notice',
  notice: { text, tone },
})

export const errorMessage = ({ error }: { readonly error: string }, tone: Tone = 'err'): Message =>
  noticeMessage(error, tone)

export const refusalMessage = ({ code, message }: Refusal): Message =>
  noticeMessage(`refused, ${code}: ${message}`, 'warn')
