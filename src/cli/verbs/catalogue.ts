/** Every verb, in the order of the help text. */
import { up } from './up.ts'

export const verbs = [up]
