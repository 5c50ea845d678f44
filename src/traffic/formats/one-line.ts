/** JSON on one line: what stands between its tokens is left out, and every token stays as it was spelled. */

const tokensAndBlanks = /("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g
const hasBlanks = /^[^"]*[ \t\r\n]|"[ \t\r\n]|[,:{}[\]][ \t\r\n]/

/** The text must be JSON. */
export const onOneLine = (json: string): string =>
  hasBlanks.test(json)
    ? json.replaceAll(tokensAndBlanks, (_, literal: string | undefined) => literal ?? '')
    : json
