/**
 * Who is who in traffic that somebody else wrote down: the operation says which roles may call and serve it, flags say
 * the rest. One role is the user's service; whoever it talks to is a partner.
 */
import { type Role, roles } from '../../protocol/role.ts'
import type { Party } from '../exchange.ts'
import { type Recognised, recognise } from '../recognise.ts'

export interface CastingOptions {
  /** The role of the user's service; without it, who makes the first call is taken to be that. */
  readonly subject?: Role
  /** Which role answers at which address; the longest that a URL begins with counts. */
  readonly hosts?: readonly { readonly base: string; readonly role: Role }[]
}

export interface Casting {
  readonly of: (
    url: string,
    found: Recognised | undefined,
  ) => { readonly from: Party; readonly to: Party; readonly assumed: boolean }
  /** Who makes the first call decides who is who, where nobody said it. */
  readonly begin: (request: { readonly method: string; readonly url: string }) => void
  readonly subject: () => Role | undefined
}

const sameOrigin = (url: string, base: string): boolean =>
  url.startsWith(base) && (base.endsWith('/') || /^(?:[/?#:]|$)/.test(url.slice(base.length)))

export function createCasting({ subject: given, hosts = [] }: CastingOptions): Casting {
  const byLength = hosts.toSorted((a, b) => b.base.length - a.base.length)
  let subject = given

  const other = (role: Role | undefined): Role =>
    roles.find((each) => each !== role && each !== subject) ?? roles[0]

  function calleeOf(url: string, found: Recognised | undefined): Role | undefined {
    const told = byLength.find(({ base }) => sameOrigin(url, base))?.role
    if (told) return told
    const serving = found?.row.hosts ?? []
    if (serving.length <= 1) return serving[0]
    // Where several may serve it, the user's service called one of the others, unless nobody else is there.
    return serving.find((role) => role !== subject) ?? serving[0]
  }

  function callerOf(callee: Role | undefined, found: Recognised | undefined): Role | undefined {
    const calling = (found?.row.callers ?? []).filter((role) => role !== callee)
    if (subject && subject !== callee && (calling.length === 0 || calling.includes(subject)))
      return subject
    return calling[0]
  }

  const partyOf = (role: Role): Party => ({ role, party: role === subject ? 'subject' : 'partner' })

  const of: Casting['of'] = (url, found) => {
    const callee = calleeOf(url, found)
    const caller = callerOf(callee, found)
    const from = caller ?? (callee === 'software-service' ? other(callee) : 'software-service')
    const to = callee ?? other(from)
    subject ??= from
    return {
      from: partyOf(from),
      to: partyOf(to),
      assumed: callee === undefined || caller === undefined,
    }
  }

  return {
    subject: () => subject,
    begin: ({ method, url }) => void of(url, recognise(method, url)),
    of,
  }
}
