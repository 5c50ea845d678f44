/** Explanations of an order, event or call in a session, as text. */
import type { Explanation } from '../../src/core/session-api/session-api.ts'
import type { Session } from '../../src/core/session-api/session.ts'

export async function explainInSession(session: Session, about: string): Promise<Explanation> {
  const { explanation } = await session.look({ explain: about })
  if (!explanation) throw new Error(`nothing is told of ${about}`)
  return explanation
}

export const explanationText = ({ lines }: Explanation): string =>
  lines.map(({ text }) => text).join('\n')
export const conclusionText = ({ conclusion }: Explanation): string => conclusion.join('\n')
