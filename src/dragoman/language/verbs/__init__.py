"""The verb notation, `(domain.verb :name value … :as @symbol)`: its reader and its printer."""
