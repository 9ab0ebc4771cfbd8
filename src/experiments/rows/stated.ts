/** Parts of which any may be absent: undefined is as good. */
export type Stated<Parts> = { readonly [Part in keyof Parts]?: Parts[Part] | undefined };
