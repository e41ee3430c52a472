CREATE TABLE product(product_id INTEGER PRIMARY KEY, name VARCHAR(60) NOT NULL, category VARCHAR(30) NOT NULL, price DECIMAL(8,2) NOT NULL);
CREATE TABLE branch(branch_id INTEGER PRIMARY KEY, name VARCHAR(60) NOT NULL, city VARCHAR(40) NOT NULL, opened_on DATE NOT NULL);
CREATE TABLE sale(sale_id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES product(product_id), branch_id INTEGER NOT NULL REFERENCES branch(branch_id), sold_on DATE NOT NULL, quantity INTEGER NOT NULL);
INSERT INTO product VALUES (1,'Rye loaf','bread',4.20),(2,'Baguette','bread',1.90),(3,'Cinnamon roll','pastry',2.60),(4,'Apple tart','cake',18.00),(5,'Poppy bun','pastry',2.10);
INSERT INTO branch VALUES (1,'Mill Lane','Gdansk','2012-04-02'),(2,'Old Port','Gdansk','2016-09-15'),(3,'Station','Torun','2019-03-01');
INSERT INTO sale VALUES (1,1,1,'2022-01-03',40),(2,2,1,'2022-01-03',85),(3,3,2,'2022-01-04',32),(4,4,3,'2022-01-05',3),(5,1,3,'2022-02-01',25),(6,5,2,'2022-02-02',61),(7,2,2,'2022-02-03',70);
