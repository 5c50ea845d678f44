/**
 * Assigns caller and callee roles to imported exchanges: from the roles that may call and host the operation, and from
 * `--as` and `--host`. One role is the subject; every other party is a partner.
 */
import { type Role, roles } from '../../core/protocol/role.ts'
import type { Party } from '../../core/traffic/exchange.ts'
import { type RecognisedCall, recogniseOperation } from '../../core/traffic/recognise-operation.ts'

export interface RoleMappingOptions {
  /** The role of the user's service; if absent, the caller of the first exchange. */
  readonly subject?: Role
  /** Role by base URL; the longest matching prefix wins. */
  readonly hosts?: readonly { readonly base: string; readonly role: Role }[]
}

export interface RoleMapping {
  readonly partiesOf: (
    url: string,
    found: RecognisedCall | undefined,
  ) => { readonly from: Party; readonly to: Party; readonly assumed: boolean }
  /** Infers the subject role from the first request, if it is not fixed. */
  readonly inferSubject: (request: { readonly method: string; readonly url: string }) => void
  readonly subject: () => Role | undefined
}

const sameOrigin = (url: string, base: string): boolean =>
  url.startsWith(base) && (base.endsWith('/') || /^(?:[/?#:]|$)/.test(url.slice(base.length)))

export function createRoleMapping({
  subject: fixedSubject,
  hosts = [],
}: RoleMappingOptions): RoleMapping {
  const longestFirst = hosts.toSorted((a, b) => b.base.length - a.base.length)
  let subject = fixedSubject

  const otherRole = (role: Role | undefined): Role =>
    roles.find((each) => each !== role && each !== subject) ?? roles[0]

  function calleeOf(url: string, found: RecognisedCall | undefined): Role | undefined {
    const configured = longestFirst.find(({ base }) => sameOrigin(url, base))?.role
    if (configured) return configured
    const possibleHosts = found?.row.hosts ?? []
    if (possibleHosts.length <= 1) return possibleHosts[0]
    // With several possible hosts, prefer one that is not the subject: the subject is the likely caller.
    return possibleHosts.find((role) => role !== subject) ?? possibleHosts[0]
  }

  function callerOf(callee: Role | undefined, found: RecognisedCall | undefined): Role | undefined {
    const possibleCallers = (found?.row.callers ?? []).filter((role) => role !== callee)
    if (
      subject &&
      subject !== callee &&
      (possibleCallers.length === 0 || possibleCallers.includes(subject))
    )
      return subject
    return possibleCallers[0]
  }

  const partyOf = (role: Role): Party => ({ role, party: role === subject ? 'subject' : 'partner' })

  const partiesOf: RoleMapping['partiesOf'] = (url, found) => {
    const callee = calleeOf(url, found)
    const caller = callerOf(callee, found)
    const from = caller ?? (callee === 'software-service' ? otherRole(callee) : 'software-service')
    const to = callee ?? otherRole(from)
    subject ??= from
    return {
      from: partyOf(from),
      to: partyOf(to),
      assumed: callee === undefined || caller === undefined,
    }
  }

  return {
    subject: () => subject,
    inferSubject: ({ method, url }) => void partiesOf(url, recogniseOperation(method, url)),
    partiesOf,
  }
}
