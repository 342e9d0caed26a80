// What the shop sells.
import type { BrowsePage, Category, Operations, Product, ProductPage, ProductsBrowseData, ProductsIndexData } from "./generated/index.js";

/** What to choose products by. A facet is asked for by its `parameter`: `{"option.color": "sage"}`. */
export type Browsing = NonNullable<ProductsBrowseData["query"]> & {
  sort?: "name" | "price" | "-price" | "newest";
  available?: "1";
  [facet: `${string}.${string}`]: string | undefined;
};

export class Catalog {
  constructor(private readonly operations: Operations) {}

  /** A page of products by name. */
  async products(query: ProductsIndexData["query"] = {}): Promise<ProductPage> {
    return this.operations.productsIndex({ query });
  }

  /** A page of products with facets to choose from. */
  async browse(query: Browsing = {}): Promise<BrowsePage> {
    return this.operations.productsBrowse({ query });
  }

  /** At most eight products, while somebody types. */
  async search(q: string): Promise<Product[]> {
    return (await this.operations.searchIndex({ query: { q } })).data;
  }

  async product(slug: string): Promise<Product> {
    return (await this.operations.productsShow({ path: { slug } })).data;
  }

  async categories(): Promise<Category[]> {
    return (await this.operations.categoriesIndex()).data;
  }
}
