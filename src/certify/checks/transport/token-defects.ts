/** Defects of the token requests of a service. */
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { type Defect, removeMember, setMember, wrongCall } from '../../judge/defect.ts'

/** The service asks for other scopes, or for none; its request is a form or JSON. */
export const wrongScopes = (
  about: string,
  scopesOf: (asked: string) => string | undefined,
): Defect =>
  wrongCall(about, 'issueToken', (request) => {
    const { body } = request
    if (typeof body === 'string') {
      const fields = new URLSearchParams(body)
      const scope = scopesOf(fields.get('scope') ?? '')
      if (scope === undefined) fields.delete('scope')
      else fields.set('scope', scope)
      request.body = fields.toString()
    } else if (isUnknownRecord(body)) {
      const { scope: asked } = body
      const scope = scopesOf(typeof asked === 'string' ? asked : '')
      if (scope === undefined) removeMember(body, 'scope')
      else setMember(body, ['scope'], scope)
    }
  })
