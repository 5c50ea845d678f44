/** Configuration of a role that a partner plays. */
import { HttpUrl } from './credentials.ts'

export const PartnerUrl = HttpUrl.optional().describe(
  'URL of a partner, or of another session, that plays this role in place of ours',
)
