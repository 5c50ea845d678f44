/** openapi-typescript as a test calls it: a document becomes the text of a module of types. */
export declare const typesOfDocument: (document: unknown) => Promise<string>
