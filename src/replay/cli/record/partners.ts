/** Parses the partners of a recording proxy, how their certificates are checked, and the subject URL. */
import { resolve } from 'node:path'
import type { SecureContext } from 'node:tls'
import { problem } from '../../../core/base/problem.ts'
import { httpUrl } from '../../../terminal/cli/allowed-target.ts'
import { type Role, roleNamed, roleNamesText } from '../../../core/protocol/role.ts'

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

function checkedUrl(text: string, flag: string): string {
  httpUrl(text, flag, 'it whole, such as https://sandbox.partner.example')
  return text
}

/** `delivery-platform=https://…`, or a URL alone for the default partner. */
export function parsePartners(texts: readonly string[], subject: Role): readonly RecordedPartner[] {
  const sides = texts.map((text): RecordedPartner => {
    const [, name, url = text] = /^([^=:/]*)=(.*)$/.exec(text) ?? []
    const role = name === undefined ? defaultPartner[subject] : roleNamed(name)
    if (role !== undefined) return { role, url: checkedUrl(url, '--to') }
    throw problem('reading --to', `"${name}" is no role`, `Name one of ${roleNamesText}.`)
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

export type PartnerTrust = Awaited<ReturnType<typeof readPartnerTrust>>

interface TrustOptions {
  readonly ca?: string
  readonly insecure?: true
}

/** Loaded lazily: most partners have a certificate that the machine trusts. */
async function readTrust(file: string): Promise<SecureContext> {
  const { trustAuthorityFile } = await import('../../../core/runtime/tls/session-tls.ts')
  return trustAuthorityFile(file, 'with --ca <file>')
}

/** Reads `--ca` and `--insecure`; without them `otherwise` is trusted. */
export async function readPartnerTrust(
  { ca, insecure }: TrustOptions,
  partners: readonly RecordedPartner[],
  cwd: string,
  otherwise: SecureContext | undefined,
) {
  if (ca !== undefined && insecure)
    throw problem(
      'reading --insecure',
      'it takes any certificate, and --ca says which ones are good',
      'Leave one of them out.',
    )
  const flag = ca === undefined ? insecure && '--insecure' : '--ca'
  if (flag && !partners.some(({ url }) => url.toLowerCase().startsWith('https:')))
    throw problem(
      `reading ${flag}`,
      'no partner of --to has an https URL, so there is no certificate to check',
      'Leave it out, or write the partner’s URL with https://.',
    )
  return {
    /** Trusted certificates, when more than the machine's own authorities. */
    trust: ca === undefined ? otherwise : await readTrust(resolve(cwd, ca)),
    /** Accepts any certificate. */
    insecure: insecure === true,
    /** What to do when a certificate is not trusted. */
    certificateRemedy: 'Name its authority with --ca <file>; --insecure takes any certificate.',
  }
}

export const parseSubjectUrl = (text: string): string => checkedUrl(text, '--subject')
