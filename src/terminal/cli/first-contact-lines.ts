/** The lines of a log that say how to connect a service. */
import {
  contactStatus,
  firstContact,
  type FirstContactInfo,
} from '../../core/session-api/first-contact.ts'

export function firstContactLines(info: FirstContactInfo): readonly string[] {
  const rows = firstContact(info)
  const width = Math.max(0, ...rows.map(({ label }) => label.length))
  const status = contactStatus(info)
  return [
    ...rows.map(({ label, value }) => `  ${label.padEnd(width)}  ${value}`),
    ...(status === undefined ? [] : [status]),
  ]
}
