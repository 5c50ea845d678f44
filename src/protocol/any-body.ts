/** The body of a call that takes any or none, since it says nothing that is needed (ORD-UND-08). */
import { z } from 'zod'

export const AnyBody = z.unknown()
