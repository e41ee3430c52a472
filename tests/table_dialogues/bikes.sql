CREATE TABLE station(station_id INTEGER PRIMARY KEY, name TEXT NOT NULL, district TEXT, docks INTEGER NOT NULL);
CREATE TABLE bike(bike_id INTEGER PRIMARY KEY, model TEXT NOT NULL, serial TEXT NOT NULL, station_id INTEGER REFERENCES station(station_id), price DECIMAL(10,2) NOT NULL, bought DATE);
CREATE TABLE rider(rider_id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, joined DATE NOT NULL);
CREATE TABLE rental(rental_id INTEGER PRIMARY KEY, rider_id INTEGER NOT NULL REFERENCES rider(rider_id), bike_id INTEGER NOT NULL REFERENCES bike(bike_id), started DATE NOT NULL, minutes INTEGER NOT NULL, cost DECIMAL(8,2) NOT NULL);
CREATE TABLE repair(repair_id INTEGER PRIMARY KEY, bike_id INTEGER NOT NULL REFERENCES bike(bike_id), repaired DATE NOT NULL, fault TEXT NOT NULL, amount DECIMAL(8,2) NOT NULL);
INSERT INTO station VALUES (1,'Harbour Gate','Port',20),(2,'Old Mill','Centre',12),(3,'University','North',30),(4,'Lake Side','West',8);
INSERT INTO bike VALUES (1,'Tourer','TR-100',1,640,'2021-03-01'),(2,'Tourer','TR-101',3,640,'2021-03-01'),(3,'Cargo','CG-7',2,1850,'2022-05-10'),(4,'Folding','FD-3',3,420,'2020-08-19'),(5,'Electric','EL-9',1,2300,'2023-02-02'),(6,'Electric','EL-10',4,2350,'2023-02-02');
INSERT INTO rider VALUES (1,'Petra Vogel','petra@mail.test','2021-04-02'),(2,'Quentin Moss','q.moss@mail.test','2021-09-12'),(3,'Rita Salo','rita@mail.test','2022-01-30'),(4,'Sven Aalto','sven@mail.test','2023-03-03'),(5,'Tanya Orlova','tanya@mail.test','2023-06-18');
INSERT INTO rental VALUES
(1,1,1,'2023-05-02',35,4.50),(2,1,3,'2023-05-09',120,18.00),(3,2,2,'2023-05-11',15,2.00),(4,3,5,'2023-05-20',48,9.60),(5,1,5,'2023-06-01',62,12.40),
(6,4,6,'2023-06-03',30,6.00),(7,3,4,'2023-06-07',22,2.75),(8,2,1,'2023-06-15',41,5.10),(9,5,3,'2023-07-01',200,30.00),(10,4,5,'2023-07-08',55,11.00),(11,1,2,'2023-07-10',18,2.40),(12,3,6,'2023-07-21',75,15.00);
INSERT INTO repair VALUES (1,1,'2023-03-10','flat tyre',15),(2,3,'2023-04-18','brakes',85),(3,5,'2023-06-22','battery',240),(4,5,'2023-07-15','lights',35),(5,4,'2023-07-16','chain',28);
