/**
 * The URL under which others call a role, where that is not the address on which it listens: the name of a container, a
 * tunnel, a reverse proxy. `{port}` stands for the port of the role, `{role}` for its name.
 */
import { z } from 'zod'

const placeholder = /\{([^{}]*)\}/g

/** The URL of one role, without a slash at its end. */
export const fillPublicUrl = (
  pattern: string,
  { role, port }: { readonly role: string; readonly port: string },
): string => pattern.replaceAll('{role}', role).replaceAll('{port}', port).replace(/\/+$/, '')

export const hasPlaceholder = (pattern: string): boolean => /\{(role|port)\}/.test(pattern)

/** What is wrong with it, for the author; undefined when it can be used. */
function problemOf(pattern: string): string | undefined {
  const unknown = [...pattern.matchAll(placeholder)].find(
    ([, name]) => name !== 'role' && name !== 'port',
  )
  if (unknown) return `has ${unknown[0]}, and only {port} and {role} can stand in it`
  const url = URL.parse(fillPublicUrl(pattern, { role: 'crm', port: '1' }))
  if (!url || !/^https?:$/.test(url.protocol)) return 'is no http or https URL'
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return 'has more than scheme, host, port and path'
  return undefined
}

export const PublicUrl = z
  .string()
  .superRefine((pattern, context) => {
    const message = problemOf(pattern)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .meta({ examples: ['http://sparring'] })
