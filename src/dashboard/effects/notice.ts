/** Notices: results of key presses, shown in the footer. */
import type { Refusal } from '../../engine/refusal.ts'
import type { Message } from '../model/message.ts'
import type { Tone } from '../view/text/row.ts'

export const tell = (text: string, tone: Tone = 'plain'): Message => ({
  kind: 'told',
  notice: { text, tone },
})

export const refused = ({ code, message }: Refusal): Message =>
  tell(`refused, ${code}: ${message}`, 'warn')
