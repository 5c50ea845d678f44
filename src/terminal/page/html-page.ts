/**
 * The frame of every HTML page: one file that loads nothing and opens without a server. Its policy lets no script run but
 * our own, so that even traffic that was escaped wrongly could not.
 */
import { createHash } from 'node:crypto'
import { htmlText } from './html-text.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'

const scriptHash = createHash('sha256').update(pageScript).digest('base64')

const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'`

export interface HtmlPage {
  /** Plain text. */
  readonly title: string
  /** HTML below the title. */
  readonly body: string
  /** Style sheet of this kind of page, after that of all. */
  readonly style?: string
}

export const htmlPage = ({ title, body, style = '' }: HtmlPage): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${htmlText(title)}</title><style>${pageStyle}${style}</style></head><body>
<h1>${htmlText(title)}</h1>
${body}
<script>${pageScript}</script>
</body></html>
`
