/** Schema of a request body that is optional and not evaluated (ORD-UND-08). */
import { z } from 'zod'

export const AnyBody = z.unknown()
