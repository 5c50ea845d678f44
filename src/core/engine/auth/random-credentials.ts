/** Client credentials as real partners give them. */
import { createChance } from '../chance.ts'

/** Characters that a form has to encode, as the credentials of real partners have them. */
const reserved = ['+', '/', '&', '%', '=']

/** Credentials with reserved characters: a token request that forgets to encode them is answered 401. */
export function randomCredentials(seed: number): {
  readonly clientId: string
  readonly clientSecret: string
} {
  const chance = createChance(seed, 'credentials')
  const part = (): string => chance.uuid().slice(0, 6)
  const clientSecret = reserved.map((each) => part() + each).join('')
  return { clientId: `${part()}+${part()}`, clientSecret }
}
