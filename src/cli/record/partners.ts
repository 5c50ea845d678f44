/** Parses the partners and the subject URL of a recording proxy. */
import { problem } from '../../problem.ts'
import { type Role, roles } from '../../protocol/role.ts'

export interface RecordedPartner {
  readonly role: Role
  readonly url: string
}

/** Default partner role by subject role. */
const defaultPartner: Readonly<Record<Role, Role>> = {
  'software-service': 'ordering-application',
  'ordering-application': 'software-service',
  'delivery-platform': 'software-service',
  crm: 'ordering-application',
}

function checkedUrl(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return text
  throw problem(
    `reading ${what}`,
    `"${text}" is no http or https URL`,
    'Write it whole, such as https://sandbox.partner.example.',
  )
}

/** `delivery-platform=https://…`, or a URL alone for the default partner. */
export function parsePartners(texts: readonly string[], subject: Role): readonly RecordedPartner[] {
  const sides = texts.map((text): RecordedPartner => {
    const named = roles.find((role) => text.startsWith(`${role}=`))
    const role = named ?? defaultPartner[subject]
    return { role, url: checkedUrl(named ? text.slice(named.length + 1) : text, '--to') }
  })
  for (const { role } of sides) {
    if (role === subject)
      throw problem(
        'reading --to',
        `the ${role} is your service itself`,
        'Name the role of the partner: --to <role>=<url>.',
      )
    if (sides.filter((side) => side.role === role).length > 1)
      throw problem(
        'reading --to',
        `the ${role} is named twice`,
        'Say which is which: --to <role>=<url>.',
      )
  }
  return sides
}

export const parseSubjectUrl = (text: string): string => checkedUrl(text, '--subject')
